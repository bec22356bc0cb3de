# usage: formula.rb DIR: loads the Homebrew formula in DIR on each system and processor, with a
# small replacement of Homebrew, and checks that its archives are those of the release and that they
# contain what it installs.
dir = ARGV.fetch(0)
SUMS = File.readlines(File.join(dir, "checksums.txt")).to_h { |line| line.split.reverse }

class Place
  def initialize(found) = @found = found
  def install(file) = @found << (file.is_a?(Hash) ? file.keys.first : file)
end

class Formula
  class << self
    attr_accessor :system, :archives
    def desc(text) = (raise "bad description" if text.length > 80 || text.end_with?("."))
    def homepage(_) = nil
    def version(text) = @version = text
    def license(_) = nil
    def on_macos = (yield if Formula.system.first == :macos)
    def on_linux = (yield if Formula.system.first == :linux)
    def on_arm = (yield if Formula.system.last == :arm)
    def on_intel = (yield if Formula.system.last == :intel)
    def url(text) = @url = text
    def test = nil
    def sha256(text)
      name = File.basename(@url)
      raise "#{name}: #{text} is not in checksums.txt" unless SUMS[name] == text
      raise "#{@url} is not of the version" unless @url.include?("/download/v#{@version}/")
      (Formula.archives ||= []) << name
    end
  end
  %i[bin man1 bash_completion zsh_completion fish_completion].each { |place| define_method(place) { Place.new(@files ||= []) } }
  attr_reader :files
end

[%i[macos arm], %i[macos intel], %i[linux arm], %i[linux intel]].each do |system|
  Formula.system = system
  Formula.archives = []
  Object.send(:remove_const, :Rulecheck) if defined?(Rulecheck)
  load File.join(dir, "rulecheck.rb")
  raise "#{system}: #{Formula.archives.length} archives; want one" unless Formula.archives.length == 1
  formula = Rulecheck.new
  formula.install
  there = IO.popen(["tar", "-tzf", File.join(dir, Formula.archives.first)], &:readlines).map(&:chomp)
  missing = formula.files.uniq - there
  raise "#{system}: not in the archive: #{missing.join(", ")}" unless missing.empty? && formula.files.length >= 5
end
raise "archives are used twice" unless SUMS.keys.grep(/\.tar\.gz\z/).length == 4
