# Doc.
module A
  LIMIT = 10
  class Reader < Base
    include Mixin
    attr_reader :path, :name
    def initialize(path, n = 1, *rest, key: 'x', &block)
      @path = path
    end
    def self.open(path) = new(path)
    def read; 1; end
    private
    def hidden; end
    attr_accessor :secret
    KEYS = [1].freeze
    WORDS = %w[a b]
    class Shown; end
    public
    def again; end
    def named; end
    private :named
    private def inline; end
    private
    class << self
      def shown; end
      private
      def hidden; end
    end
    def last; end
  end
  class << self
    def single; end
  end
end
def top(a) a end
