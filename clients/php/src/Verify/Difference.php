<?php

declare(strict_types=1);

namespace Shelfwire\Verify;

/** A member in which two products differ, such as prices.0.computed_price. Where $values lacks `mirror` or `service`, that side has no such member. */
final class Difference
{
    private static ?object $absent = null;

    /** @param array{mirror?: mixed, service?: mixed} $values */
    private function __construct(public readonly string $member, public readonly array $values)
    {
    }

    /**
     * Compares member by member. The same value in another JSON notation is no difference.
     * @return list<self>
     */
    public static function between(mixed $mirror, mixed $service, string $member = ''): array
    {
        if ((is_array($mirror) && is_array($service)) || (is_object($mirror) && is_object($service) && !self::isAbsent($mirror, $service))) {
            [$own, $their] = [(array) $mirror, (array) $service];
            $found = [];
            foreach (array_keys($own + $their) as $name) {
                $path = $member === '' ? (string) $name : "$member.$name";
                $one = array_key_exists($name, $own) ? $own[$name] : self::absent();
                $other = array_key_exists($name, $their) ? $their[$name] : self::absent();
                array_push($found, ...self::between($one, $other, $path));
            }
            return $found;
        }
        if (self::isEqual($mirror, $service)) {
            return [];
        }
        $isThere = static fn (mixed $value): bool => $value !== self::absent();
        return [new self($member, array_filter(['mirror' => $mirror, 'service' => $service], $isThere))];
    }

    private static function isEqual(mixed $mirror, mixed $service): bool
    {
        $isNumber = static fn (mixed $value): bool => is_int($value) || is_float($value);
        return $isNumber($mirror) && $isNumber($service) ? $mirror == $service : $mirror === $service;
    }

    private static function absent(): object
    {
        return self::$absent ??= new \stdClass();
    }

    private static function isAbsent(object ...$values): bool
    {
        return in_array(self::absent(), $values, true);
    }
}
