<?php

declare(strict_types=1);

namespace Shelfwire\Command;

use Shelfwire\Client;
use Shelfwire\MirrorException;
use Shelfwire\Status;
use Shelfwire\Sync;
use Shelfwire\Verify\Comparison;
use Shelfwire\Verify\Finding;
use Shelfwire\Verify\Verifier;

/** The command of the package. */
final class Main
{
    /** How many ids of each kind are printed, and how many characters of a value. */
    private const NAMED = 20;
    private const SHOWN = 200;
    /** How often the progress of a fill is printed. */
    private const FILL_SECONDS = 2;

    private ?Sync $sync = null;
    /** @var array<string, array{string, float}> the state that was printed last for each store, and when */
    private array $said = [];

    private function __construct(
        private readonly Options $given,
        private readonly Client $client,
        private readonly OpenedMirror $mirror,
        private readonly Output $output,
    ) {
    }

    /** @param list<string> $arguments @return int the exit code */
    public static function run(array $arguments): int
    {
        if ($arguments === [] || array_intersect($arguments, ['--help', '-h']) !== []) {
            fwrite(STDOUT, Options::HELP);
            return Failure::DONE;
        }
        ini_set('serialize_precision', '-1');
        $output = new Output(in_array('--json', $arguments, true));
        $url = 'the service';
        try {
            $given = Options::of($arguments);
            $given->directory();
            $url = $given->url();
            try {
                $client = new Client($url, $given->token());
                // a person waits for this: two attempts are enough
                $active = (new Client($url, $given->token(), attempts: 2))->stores();
            } catch (\InvalidArgumentException $error) {
                throw Failure::usage($error->getMessage());
            }
            $mirror = OpenedMirror::open($given);
            try {
                return (new self($given, $client, $mirror, $output))->start($mirror->choose($given, $client->url, $active));
            } finally {
                $mirror->target->close();
            }
        } catch (\Exception $error) {
            $failure = Failure::of($error, $url);
            $output->failed($failure);
            return $failure->exit;
        }
    }

    /** @param list<string> $stores */
    private function start(array $stores): int
    {
        if ($this->given->command === 'mirror') {
            return $this->mirror($stores);
        }
        if ($this->given->has('--repair')) {
            (new Sync($this->client, $this->mirror->target, $stores))->once();
        }
        $code = Failure::DONE;
        foreach ($stores as $store) {
            $code = max($code, $this->judge($store));
        }
        return $code;
    }

    /** @param list<string> $stores */
    private function mirror(array $stores): int
    {
        $this->sync = new Sync($this->client, $this->mirror->target, $stores, onStatus: $this->tell(...));
        if (function_exists('pcntl_async_signals')) {
            pcntl_async_signals(true);
            foreach ([SIGINT, SIGTERM] as $signal) {
                pcntl_signal($signal, $this->end(...));
            }
        }
        if ($this->given->has('--once')) {
            $this->sync->once();
        } else {
            $this->sync->run();
        }
        return Failure::DONE;
    }

    /** Ends the process at once, which is safe at any moment: the next one continues from the saved position. */
    private function end(): never
    {
        $this->mirror->target->close();
        exit($this->given->has('--once') ? Failure::INTERRUPTED : Failure::DONE);
    }

    private function tell(Status $status): void
    {
        [$store, $state] = [$status->store, $status->state];
        [$before, $at] = $this->said[$store] ?? ['', 0.0];
        // "current" is reported with every answer without changes, and "filling" with every batch
        $isOld = $state === $before && ($state === 'current' || ($state === 'filling' && microtime(true) - $at < self::FILL_SECONDS));
        if ($isOld) {
            return;
        }
        $this->said[$store] = [$state, microtime(true)];
        $fields = ['time' => gmdate('Y-m-d\TH:i:s\Z'), 'store' => $store];
        $text = match ($state) {
            'current' => 'up to date',
            'filling' => "filling, $status->products products written",
            'following' => "$status->products products written, $status->removed removed",
            'reset' => 'the service was restored from a backup older than this mirror; filling it again',
            'waiting' => 'another process fills this mirror; waiting for it',
            'unknown-store' => 'not active now; what the mirror has of it stays, and it is asked for again',
            default => 'trying again',
        };
        if ($state === 'filling') {
            $fields['products'] = $status->products;
        } elseif ($state === 'following') {
            $fields += ['products' => $status->products, 'removed' => $status->removed];
        } elseif ($status->error !== null) {
            $failure = Failure::of($status->error, $this->client->url);
            if ($failure->isFinal()) {
                throw $failure;
            }
            $seconds = (int) ceil($status->pause);
            $fields += ['code' => $failure->problem, 'message' => $failure->getMessage(), 'pause_seconds' => $seconds];
            $text = "trying again in $seconds s: {$failure->getMessage()}";
        }
        $this->output->event($state, $fields, "$store: $text");
    }

    private function judge(string $store): int
    {
        try {
            $found = Verifier::compare($this->client, $this->mirror->target, $store);
        } catch (MirrorException $error) {
            $failure = Failure::of($error, $this->client->url);
            if ($failure->exit !== Failure::UNEQUAL) {
                throw $failure;
            }
            // this store cannot be compared; the others are
            $this->output->failed($failure);
            return Failure::UNEQUAL;
        }
        if ($this->given->command === 'diff') {
            foreach (array_slice($found->findings, 0, $this->given->limit()) as $finding) {
                $this->show($store, $finding);
            }
        }
        $this->say($found);
        if ($found->isEqual()) {
            return Failure::DONE;
        }
        if (!$this->given->has('--repair')) {
            return Failure::UNEQUAL;
        }
        [$written, $removed] = Verifier::repair($this->client, $this->mirror->target, $found);
        $fields = ['store' => $store, 'written' => $written, 'removed' => $removed];
        $this->output->event('repaired', $fields, "$store: repaired: $written products written, $removed removed");
        return Failure::DONE;
    }

    private function say(Comparison $found): void
    {
        $fields = ['store' => $found->store, 'products' => $found->products];
        $fields += ['changed_since' => $found->changed, 'as_of' => $found->asOf];
        $since = $found->changed === 0 ? '' : " ($found->changed changed since, not compared)";
        $equality = $found->isEqual() ? 'equal' : 'NOT equal';
        $lines = ["$found->store: $found->products products, $equality as of $found->asOf$since"];
        if ($found->isEqual()) {
            $this->output->event('equal', $fields, ...$lines);
            return;
        }
        foreach (['missing', 'superfluous', 'different'] as $kind) {
            $isOf = static fn (Finding $one): bool => $one->kind === $kind;
            $fields[$kind] = array_column(array_filter($found->findings, $isOf), 'id');
            if ($fields[$kind] !== []) {
                $named = implode(', ', array_slice($fields[$kind], 0, self::NAMED));
                $more = count($fields[$kind]) > self::NAMED ? ', …' : '';
                $lines[] = '  ' . count($fields[$kind]) . " $kind: $named$more";
            }
        }
        $fields['damaged'] = [];
        foreach ($found->damages as $damage) {
            $fields['damaged'][] = ['file' => $damage->file, 'line' => $damage->line];
            $lines[] = "  $damage->file, line $damage->line cannot be read";
        }
        $this->output->event('unequal', $fields, ...$lines);
    }

    private function show(string $store, Finding $finding): void
    {
        $lines = ["$store: product $finding->id is $finding->kind"];
        $members = [];
        foreach ($finding->differences as $difference) {
            $members[] = ['member' => $difference->member] + $difference->values;
            $lines[] = "  $difference->member";
            foreach ($difference->values as $side => $value) {
                $text = (string) json_encode($value, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
                $lines[] = sprintf('    %-8s ', $side) . preg_replace('/^(.{' . self::SHOWN . '}).+/us', '$1…', $text);
            }
        }
        $fields = ['store' => $store, 'product_id' => $finding->id, 'kind' => $finding->kind];
        $this->output->event('difference', $fields + ($members === [] ? [] : ['members' => $members]), ...$lines);
    }
}
