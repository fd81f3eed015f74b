import { Problem } from '../../problem.ts'
import { settingBody, type Fault, type SettingKind } from '../body-shapes.ts'
import { readAmount, takeOrNote } from '../numbers.ts'
import { refuse, requireEchoed, requireShape } from '../request.ts'
import type { Call, Made, Work, Write, Written } from '../written.ts'
import { findOne, keyIn, requireOne, type Collection } from './collection.ts'

// Writes settings. A member that a PUT or POST leaves out, or any write sets to null, gets its default.

type Members = Readonly<Record<string, unknown>>

export interface Kept<Row extends object> extends Collection<Row> {
  /** Members of a body, the key among them. */
  fields: Readonly<Record<string, SettingKind>>
  /** Required members, without the key. */
  required: readonly string[]
  /** Members besides the key that are set at creation and never change. */
  fixed: readonly string[]
  /** Members that the service assigns. */
  given: Readonly<Record<string, SettingKind>>
  defaults: Members
  /** How many digits its decimals have at most before the point and after it. */
  digits: { whole: number; fraction: number }
  /** Adds the members that the service assigns to a new row. */
  whole: (members: Members, call: Call) => Row
  /** The state after a row was written; `now` is null where it was deleted. */
  next: (written: Written, key: string, now: Row | null) => Partial<Written>
  write: (before: Row | null, now: Row | null) => Write
}

export interface SettingWrites {
  create: (call: Call) => Work
  put: (call: Call) => Work
  patch: (call: Call) => Work
  remove: (call: Call) => Work
}

/** The shapes of bodies, by method. */
export function bodiesOf<Row extends object>({ key, fields, required, fixed, given }: Kept<Row>) {
  const only = (isIn: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => isIn(name)))
  const own = only((name) => name === key)
  const others = only((name) => name !== key)
  const echoed = [key, ...Object.keys(given)]
  return {
    create: settingBody({ ...own, ...others }, [key, ...required]),
    put: settingBody({ ...others, ...own, ...given }, required, echoed),
    patch: settingBody(
      {
        ...only((name) => name !== key && !fixed.includes(name)),
        ...own,
        ...only((name) => fixed.includes(name)),
        ...given,
      },
      [],
      [...echoed, ...fixed],
    ),
  }
}

export function writesOf<Row extends object>(kept: Kept<Row>): SettingWrites {
  const { noun, key, fields, required, fixed, given, defaults } = kept
  const without = (members: Members, names: readonly string[]) =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
  const assigned = Object.keys(given).filter((name) => given[name] !== 'ignored')
  const echoed = [key, ...Object.keys(given)]
  const shapes = bodiesOf(kept)

  const withDefaults = (members: Members): Members => ({
    ...defaults,
    ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)),
  })
  const settle = (call: Call, before: Row | null, members: Members): Made => {
    const now = before === null ? kept.whole(read(members), call) : ({ ...before, ...read(members) } as Row)
    const own = String(now[key])
    return {
      status: before === null ? 201 : 200,
      data: now,
      ...(before === null ? { location: `/v1/account/${kept.path}/${encodeURIComponent(own)}` } : {}),
      next: kept.next(call.written, own, now),
      writes: [kept.write(before, now)],
    }
  }
  /** Converts decimals to the form in which they are kept. @throws Problem invalid-input */
  const read = (members: Members): Members => {
    const faults: Fault[] = []
    const take = takeOrNote(faults)
    const values = Object.entries(members).map(([name, value]): [string, unknown] => [
      name,
      fields[name] === 'decimal' && value !== null
        ? take(name, readAmount(value as string | number, kept.digits))
        : value,
    ])
    refuse(noun, faults)
    return Object.fromEntries(values)
  }

  return {
    create(call) {
      const body = requireShape(call.body, shapes.create, noun)
      return () => {
        const own = kept.canonical?.(String(body[key])) ?? String(body[key])
        if (kept.rows(call).some((row) => row[key] === own))
          throw new Problem(
            'conflict',
            `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun} "${own.slice(0, 80)}" exists already; PUT replaces it, PATCH changes it`,
          )
        return Promise.resolve(settle(call, null, withDefaults({ ...body, [key]: own })))
      }
    },
    put(call) {
      const body = requireShape(call.body, shapes.put, noun)
      return async () => {
        const before = findOne(kept, call)
        await call.match(before)
        const own = keyIn(kept, call)
        requireEchoed(noun, body, [key, ...assigned], before ?? { [key]: own })
        const members = withDefaults(without(body, echoed))
        if (before === null) return settle(call, null, { ...members, [key]: own })
        requireEchoed(noun, members, fixed, before, 'never changes')
        return settle(call, before, without(members, fixed))
      }
    },
    patch(call) {
      const body = requireShape(call.body, shapes.patch, noun)
      return async () => {
        const before = requireOne(kept, call)
        await call.match(before)
        requireEchoed(noun, body, [key, ...fixed, ...assigned], before)
        const members = without(body, [...echoed, ...fixed])
        refuse(
          noun,
          required.flatMap((name) =>
            members[name] === null ? [{ name, reason: 'is required and has no default' }] : [],
          ),
        )
        const reset = Object.entries(members).map(([name, value]) => [name, value ?? defaults[name] ?? null])
        return settle(call, before, Object.fromEntries(reset))
      }
    },
    remove: (call) => async () => {
      const before = requireOne(kept, call)
      await call.match(before)
      return {
        status: 204,
        next: kept.next(call.written, String(before[key]), null),
        writes: [kept.write(before, null)],
      }
    },
  }
}
