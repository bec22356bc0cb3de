<?php
namespace App\Http;
use Foo\Bar;
/** Doc. */
#[Attribute]
abstract class Reader extends Base implements Walk {
    use Mixin;
    public const LIMIT = 10;
    private const SECRET = 1;
    public static ?string $name = 'x', $other;
    private int $hidden = 1;
    public function __construct(private readonly string $path, int $n = 1) { $x = 1; }
    protected abstract function close(): void;
    function open() { function local() {} }
    private function inner() {}
}
interface Walk { public function walk(int $a); }
trait Mixin { public function m() {} }
enum Color: string { case Red = 'r'; public function label(): string { return 'x'; } }
function parse(string $text, &$ref, ...$rest): array { return []; }
const TOP = 1;
