<?php

declare(strict_types=1);

namespace Shelfwire\Command;

/** The options of the command line. */
final class Options
{
    public const HELP = <<<'TEXT'
        Usage: shelfwire-php COMMAND --dir DIRECTORY --url URL [options]

          mirror     keep a mirror of stores on this machine: fill it, then follow what changes until Ctrl-C
          verify     compare a mirror with the service, and repair it
          diff       show what differs between a mirror and the service, member by member

          --url URL            the service's address, or SHELFWIRE_URL
          --token TOKEN        a connector token; better in SHELFWIRE_TOKEN, which stays out of the shell's history
          --token-file FILE    the token is in a file
          --dir DIRECTORY      the mirror is a directory of NDJSON files
          --store SLUG         of this store; several times for several, all unless it is given
          --moved              the service has another address than when the mirror was made
          --json               one JSON object a line on standard output
          --once               of mirror: end when everything is there, instead of following
          --repair             of verify: read again what is missing or different, and remove what the service does not have
          --limit NUMBER       of diff: show at most so many products of a store; 100 unless it is given

        Exit codes: 0 done or equal; 1 a mirror is not equal; 2 the command line is wrong; 3 the service does not answer now, try later;
        4 the service refuses: token, address or store; 5 the directory cannot be used; 70 unexpected; 130 interrupted.

        TEXT;
    private const COMMANDS = ['mirror' => '--once', 'verify' => '--repair', 'diff' => '--limit'];
    private const VALUES = ['--url', '--token', '--token-file', '--dir', '--store', '--limit'];
    private const SWITCHES = ['--moved', '--json', '--once', '--repair'];

    /**
     * @param array<string, string> $values
     * @param list<string> $stores
     */
    private function __construct(
        public readonly string $command,
        private readonly array $values,
        public readonly array $stores,
    ) {
    }

    /**
     * @param list<string> $arguments
     * @throws Failure, whose message repeats no value of an option, because one may be a token
     */
    public static function of(array $arguments): self
    {
        $command = (string) array_shift($arguments);
        if (!isset(self::COMMANDS[$command])) {
            throw Failure::usage('the commands are mirror, verify and diff; see --help');
        }
        [$values, $stores] = [[], []];
        while ($arguments !== []) {
            [$name, $value] = explode('=', array_shift($arguments), 2) + [1 => null];
            if (!str_starts_with($name, '--')) {
                throw Failure::usage('every argument belongs to an option that begins with --; see --help');
            }
            $isOther = in_array($name, self::COMMANDS, true) && self::COMMANDS[$command] !== $name;
            if ($isOther || !in_array($name, [...self::VALUES, ...self::SWITCHES], true)) {
                throw Failure::usage("unknown option $name; see --help");
            }
            if (in_array($name, self::VALUES, true)) {
                $value ??= array_shift($arguments) ?? throw Failure::usage("$name takes a value; see --help");
            }
            if ($name === '--store') {
                $stores[] = (string) $value;
            }
            $values[$name] = (string) $value;
        }
        return new self($command, $values, array_values(array_unique($stores)));
    }

    public function has(string $name): bool
    {
        return isset($this->values[$name]);
    }

    public function directory(): string
    {
        $directory = $this->values['--dir'] ?? '';
        return $directory === '' ? throw Failure::usage('say where the mirror is: --dir DIRECTORY') : $directory;
    }

    public function url(): string
    {
        $url = $this->values['--url'] ?? (getenv('SHELFWIRE_URL') ?: '');
        $message = "give the service's address: --url https://catalog.example, or SHELFWIRE_URL";
        return $url === '' ? throw Failure::usage($message) : $url;
    }

    public function limit(): int
    {
        $limit = $this->values['--limit'] ?? '100';
        return preg_match('/^\d{1,6}$/D', $limit) === 1 ? (int) $limit : throw Failure::usage('--limit takes a number of products');
    }

    public function token(): string
    {
        $file = $this->values['--token-file'] ?? null;
        if ($file !== null && $this->has('--token')) {
            throw Failure::usage('give --token or --token-file, not both');
        }
        $token = $file === null ? $this->values['--token'] ?? (getenv('SHELFWIRE_TOKEN') ?: '') : @file_get_contents($file);
        if ($token === false) {
            throw Failure::usage('--token-file cannot be read');
        }
        $message = 'give a token: SHELFWIRE_TOKEN, --token-file FILE or --token TOKEN';
        return trim($token) === '' ? throw Failure::usage($message) : trim($token);
    }
}
