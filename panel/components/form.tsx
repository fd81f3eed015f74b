import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode, type SyntheticEvent } from 'react'
import { asProblem } from '../api/problem.ts'
import { Conflict, type ConflictProps } from './conflict.tsx'
import classes from './form.module.css'
import { ProblemNote } from './problem-note.tsx'
import { newTyped, Unsaved, type Typed } from './unsaved.ts'

// The one mechanism of forms: `useForm` for something new, `useRevisedForm` for something that is there and that two people may edit at
// once, `Form` for both. They keep what was typed whatever happens, and show a fault beside its field. Values are checked by the service
// alone.

interface Options<V, R> {
  initial: V
  submit: (values: V) => Promise<R>
  done: (result: R, values: V) => void
  /** The field that a name in the service's answer is about, where they differ. */
  fieldOf?: (name: string) => string
  /** What it begins with is saved nowhere either. */
  isBegun?: boolean
}

interface Bound<T> {
  name: string
  value: T
  error: string | undefined
  /** Not every input of the component library sets it by its error. */
  'aria-invalid': true | undefined
  onChange: (event: { currentTarget: { value: string } }) => void
}

export interface FormState<V> {
  values: V
  set: (changes: Partial<V>) => void
  isBusy: boolean
  error: unknown
  /** Faults of names that no field has. */
  otherFaults: readonly { name: string; reason: string }[]
  /** What a field without text needs to know of its fault. */
  fault: (name: keyof V & string) => string | undefined
  /** Properties of an input for text. */
  text: (name: { [K in keyof V]: V[K] extends string ? K : never }[keyof V] & string) => Bound<string>
  onSubmit: (event: SyntheticEvent) => void
  formRef: React.RefObject<HTMLFormElement | null>
  /** What was typed since it began, or was saved. */
  isChanged: boolean
  typed: Typed
  /** Forgets the error and starts over with other values; with those that were typed, they are not saved yet. */
  restart: (values: V, isSaved?: boolean) => void
  /** Somebody else was faster: what they saved, and the choice between it and what was typed. */
  conflict: ConflictProps | null
  /** Why another action of the form failed (`also` of a revised form). */
  alsoError: unknown
}

/** State of a form whose fields are the members of `initial`. */
export function useForm<V extends Record<string, unknown>, R>(options: Options<V, R>): FormState<V> {
  const { initial, fieldOf = (name) => name.split(/[.[]/)[0] ?? name } = options
  const [values, setValues] = useState(initial)
  const [kept, setKept] = useState<V | null>(options.isBegun === true ? null : initial)
  const [typed] = useState(newTyped)
  const latest = useRef(values)
  useEffect(() => {
    latest.current = values
  })
  const [cleared, setCleared] = useState<ReadonlySet<string>>(new Set())
  const formRef = useRef<HTMLFormElement>(null)
  const mutation = useMutation({
    mutationFn: options.submit,
    onSuccess(result, sent) {
      setKept(sent)
      // the next action may leave the page; it asks first about what was typed while the form was sent
      if (JSON.stringify(latest.current) === JSON.stringify(sent)) typed.isUnsaved = false
      options.done(result, sent)
    },
    onError: () => {
      setCleared(new Set())
      // once the faults are shown
      setTimeout(() => {
        const field = formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
        if (field !== null && field !== undefined) field.focus()
        // what is about no field is on top, and a long form was sent from its end
        else formRef.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' })
      })
    },
  })
  const faults = mutation.error === null ? [] : asProblem(mutation.error).faults
  const fault = (name: string) =>
    cleared.has(name) ? undefined : faults.find((entry) => fieldOf(entry.name) === name)?.reason
  const set = (changes: Partial<V>) => {
    setValues((before) => ({ ...before, ...changes }))
    setCleared((before) => new Set([...before, ...Object.keys(changes)]))
  }
  return {
    values,
    set,
    fault,
    isBusy: mutation.isPending,
    error: mutation.error,
    otherFaults: faults.filter((entry) => !Object.hasOwn(initial, fieldOf(entry.name))),
    isChanged: JSON.stringify(values) !== JSON.stringify(kept),
    typed,
    text: (name) => ({
      name,
      value: values[name] as string,
      error: fault(name),
      'aria-invalid': fault(name) === undefined ? undefined : true,
      onChange: (event) => set({ [name]: event.currentTarget.value } as unknown as Partial<V>),
    }),
    onSubmit(event) {
      event.preventDefault()
      if (!mutation.isPending) mutation.mutate(values)
    },
    formRef,
    restart(next, isSaved = true) {
      setValues(next)
      if (isSaved) setKept(next)
      mutation.reset()
    },
    conflict: null,
    alsoError: null,
  }
}

interface RevisedOptions<B, V, R> extends Pick<Options<V, R>, 'fieldOf' | 'isBegun' | 'done'> {
  /** What was read of it, with its revision. */
  first: B
  /** Reads what is there now. */
  read: () => Promise<B>
  /** What the fields hold of it. */
  valuesOf: (read: B) => V
  /** What the fields begin with instead. */
  initial?: V | undefined
  /** Saves what was typed, unless somebody else changed it since. */
  save: (values: V, base: B) => Promise<R>
  /** What the fields are called and what is in them: what differs is shown in a conflict. */
  shown: (values: V) => readonly (readonly [name: string, text: string])[]
}

interface RevisedForm<B, V, R> extends FormState<V> {
  /** What the form began with. */
  base: B
  /** The form goes on from what was saved. */
  begin: (next: B) => void
  /** Writes something else of the same revision, such as the way back to the suppliers' value; `done` follows. */
  also: (work: (base: B) => Promise<R>) => void
  isAlsoBusy: boolean
}

/**
 * State of a form for something that is there. What another person saves meanwhile does not overwrite what is typed: both are shown, and
 * the reader chooses.
 */
export function useRevisedForm<B, V extends Record<string, unknown>, R>(
  options: RevisedOptions<B, V, R>,
): RevisedForm<B, V, R> {
  const { first, read, valuesOf, initial, save, shown, ...rest } = options
  const [base, setBase] = useState(first)
  const [theirs, setTheirs] = useState<{ read: B } | null>(null)
  const begin = (next: B) => {
    setBase(next)
    setTheirs(null)
  }
  /** Where the other one was faster, what is there now is read before it fails. */
  const guard = async (write: () => Promise<R>): Promise<R> => {
    try {
      return await write()
    } catch (error) {
      if (asProblem(error).code === 'precondition-failed') setTheirs({ read: await read() })
      throw error
    }
  }
  const form = useForm<V, R>({
    ...rest,
    initial: initial ?? valuesOf(base),
    submit: (values) => guard(() => save(values, base)),
  })
  const also = useMutation({
    mutationFn: (work: (base: B) => Promise<R>) => guard(() => work(base)),
    onSuccess: (result) => rest.done(result, form.values),
  })
  const choose = (goOn: (there: B) => void) => () => {
    if (theirs === null) return
    begin(theirs.read)
    goOn(theirs.read)
    also.reset()
  }
  const differences = () => {
    const mine = shown(form.values)
    return shown(valuesOf((theirs as { read: B }).read))
      .map(([name, text], i) => ({ name, theirs: text, mine: mine[i]?.[1] ?? '' }))
      .filter((row) => row.theirs !== row.mine)
  }
  return {
    ...form,
    base,
    begin,
    also: also.mutate,
    isAlsoBusy: also.isPending,
    alsoError: also.error,
    conflict:
      theirs === null
        ? null
        : {
            differences: differences(),
            takeTheirs: choose((there) => form.restart(valuesOf(there))),
            keepMine: choose(() => form.restart(form.values, false)),
          },
  }
}

/** A form with its faults on top, its fields and its buttons. */
export function Form<V extends Record<string, unknown>>({
  form,
  submit,
  beside,
  isLostQuietly = false,
  isWide = false,
  isOneOfSeveral = false,
  children,
}: {
  form: FormState<V>
  /** The button's words: a verb. */
  submit: string
  /** Other buttons. */
  beside?: ReactNode
  /** Nobody is asked before it is left: it is only typed to sign in or to confirm, or it is kept elsewhere. */
  isLostQuietly?: boolean
  /** It has tables: as wide as the page. */
  isWide?: boolean
  /** The page has more forms, and this one is not what it is opened for. */
  isOneOfSeveral?: boolean
  children: ReactNode
}) {
  const hasOnlyFieldFaults =
    form.error !== null && asProblem(form.error).faults.length > 0 && form.otherFaults.length === 0
  return (
    <>
      {form.conflict === null ? <ProblemNote error={form.alsoError} /> : <Conflict {...form.conflict} />}
      <form
        ref={form.formRef}
        onSubmit={form.onSubmit}
        noValidate
        className={`${classes.form} ${isWide ? classes.wide : ''}`}
      >
        <Unsaved of={form.typed} when={form.isChanged && !isLostQuietly} />
        {hasOnlyFieldFaults || form.conflict !== null ? null : (
          <ProblemNote error={form.error} faults={form.otherFaults} />
        )}
        <div className={classes.fields}>{children}</div>
        <div className={classes.buttons}>
          <Button type="submit" variant={isOneOfSeveral ? 'default' : 'filled'} loading={form.isBusy}>
            {submit}
          </Button>
          {beside}
        </div>
      </form>
    </>
  )
}
