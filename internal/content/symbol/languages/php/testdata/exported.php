<?php
// Prints what each file named on the standard input exports, by PHP's own tokenizer and parser:
// one line of JSON for each, without "api" where PHP finds an error.

final class Reader
{
    private array $tokens;
    private int $at = 0;
    public array $api = [];

    public function __construct(string $text)
    {
        $this->tokens = array_values(array_filter(
            PhpToken::tokenize($text, TOKEN_PARSE),
            fn($t) => !$t->is([T_WHITESPACE, T_COMMENT, T_DOC_COMMENT, T_INLINE_HTML, T_OPEN_TAG, T_CLOSE_TAG]),
        ));
    }

    private static function text(PhpToken $t): string
    {
        $s = $t->text;
        return $t->is(T_CONSTANT_ENCAPSED_STRING) && $s[0] === "'" && !strpbrk($s, '"\\') ? '"' . substr($s, 1, -1) . '"' : $s;
    }

    /** Skips what is in braces; the first is read. */
    private function skip(): void
    {
        for ($depth = 1; $depth > 0 && $this->at < count($this->tokens); $this->at++) {
            $t = $this->tokens[$this->at];
            $depth += $t->is(['{', T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES]) <=> $t->is('}');
        }
    }

    /** Reads statements up to the end of braces. */
    public function block(string $prefix, bool $members): void
    {
        while ($this->at < count($this->tokens)) {
            $head = [];
            for ($depth = 0, $end = ''; $this->at < count($this->tokens); ) {
                $t = $this->tokens[$this->at++];
                if ($depth === 0 && $t->is([';', '{', '}'])) {
                    $end = $t->text;
                    break;
                }
                $depth += $t->is(['(', '[', T_ATTRIBUTE]) <=> $t->is([')', ']']);
                $head[] = $t;
            }
            if ($end === '}') {
                return;
            }
            $this->statement($head, $end, $prefix, $members);
        }
    }

    private function statement(array $head, string $end, string $prefix, bool $members): void
    {
        $modifiers = [T_PUBLIC, T_PROTECTED, T_PRIVATE, T_STATIC, T_ABSTRACT, T_FINAL, T_READONLY, T_VAR];
        $first = 0;
        for ($attribute = 0; $first < count($head); $first++) {
            $t = $head[$first];
            if ($attribute > 0 || $t->is(T_ATTRIBUTE)) {
                $attribute += $t->is([T_ATTRIBUTE, '[']) <=> $t->is(']');
            } elseif (!$t->is($modifiers)) {
                break;
            }
        }
        $lead = array_slice($head, 0, $first);
        $rest = array_slice($head, $first);
        $private = array_filter($lead, fn($t) => $t->is(T_PRIVATE)) !== [];
        $key = $rest[0] ?? null;
        $add = function (string $kind, string $name, array $tokens) use ($prefix, $private) {
            if (!$private) {
                $signature = implode(' ', array_map(self::text(...), $tokens));
                $this->api[] = "$kind $prefix$name " . preg_replace(['/ , (?=[)\]])/', '/\bpublic (?=(final )?const )/'], [' ', ''], $signature);
            }
        };
        if ($key?->is(T_FUNCTION) && ($name = $rest[$rest[1]->text === '&' ? 2 : 1])->text !== '(') {
            $add('function', $name->text, $head);
            $end === '{' && $this->skip();
        } elseif ($key?->is([T_CLASS, T_INTERFACE, T_TRAIT, T_ENUM]) && $end === '{') {
            $add($key->text, $rest[1]->text, $head);
            $this->block($prefix . $rest[1]->text . '.', true);
        } elseif ($key?->is(T_NAMESPACE) && count($rest) < 3) {
            $add('namespace', $rest[1]->text ?? '', $rest);
            $end === '{' && $this->block($prefix, false);
        } elseif ($members && $key?->is(T_CASE)) {
            $add('case', $rest[1]->text, $head);
        } elseif ($key?->is(T_CONST) || $members && array_filter($rest, fn($t) => $t->is(T_VARIABLE)) && !$key->is(T_USE)) {
            $this->elements($lead, $rest, $add);
            $end === '{' && $this->skip();
        } elseif ($end === '{') {
            array_filter($head, fn($t) => $t->is([T_FUNCTION, T_FN, T_NEW, T_MATCH, T_USE])) || $members ? $this->skip() : $this->block($prefix, false);
        }
    }

    /** Adds each of several constants or properties. */
    private function elements(array $lead, array $rest, callable $add): void
    {
        $constant = $rest[0]->is(T_CONST);
        $from = 0;
        while ($from < count($rest) && !($constant ? ($rest[$from + 1] ?? null)?->text === '=' : $rest[$from]->is(T_VARIABLE))) {
            $from++;
        }
        $before = array_merge($lead, array_slice($rest, 0, $from));
        $one = [];
        foreach ([...array_slice($rest, $from), null] as $t) {
            static $depth = 0;
            if ($t === null || $depth === 0 && $t->text === ',') {
                $one && $add($constant ? 'const' : 'property', $one[0]->text, array_merge($before, $one));
                $one = [];
                continue;
            }
            $depth += $t->is(['(', '[']) <=> $t->is([')', ']']);
            $one[] = $t;
        }
    }
}

foreach (array_filter(explode("\n", stream_get_contents(STDIN))) as $file) {
    $line = ['file' => $file];
    try {
        $reader = new Reader(file_get_contents($file));
        $reader->block('', false);
        sort($reader->api);
        $line['api'] = array_values(array_unique($reader->api));
    } catch (ParseError) {
    }
    echo json_encode($line, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
