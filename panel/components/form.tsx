import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode, type SyntheticEvent } from 'react'
import { asProblem } from '../api/problem.ts'
import { Conflict, type ConflictProps } from './conflict.tsx'
import classes from './form.module.css'
import { ProblemNote } from './problem-note.tsx'
import { newTyped, Unsaved, type Typed } from './unsaved.ts'

// The one mechanism of forms: `useForm` for something new, `useRevisedForm` for something that exists and that two people may edit at
// once, `Form` for both. A failed save keeps what was typed and shows each fault beside its field. Only the service validates values.

interface Options<V, R> {
  initial: V
  submit: (values: V) => Promise<R>
  done: (result: R, values: V) => void
  /** The field for a fault's name in the service's answer, if they differ. */
  fieldOf?: (name: string) => string
  /** The initial values are unsaved as well. */
  isBegun?: boolean
}

interface Bound<T> {
  name: string
  value: T
  error: string | undefined
  /** Set here because not every input of the component library derives it from its error. */
  'aria-invalid': true | undefined
  onChange: (event: { currentTarget: { value: string } }) => void
}

export interface FormState<V> {
  values: V
  set: (changes: Partial<V>) => void
  isBusy: boolean
  error: unknown
  /** Faults whose names match no field. */
  otherFaults: readonly { name: string; reason: string }[]
  /** The reason of a field's fault, for inputs that are not text. */
  fault: (name: keyof V & string) => string | undefined
  /** Properties of a text input. */
  text: (name: { [K in keyof V]: V[K] extends string ? K : never }[keyof V] & string) => Bound<string>
  onSubmit: (event: SyntheticEvent) => void
  formRef: React.RefObject<HTMLFormElement | null>
  /** Whether values differ from those that the form began with or saved last. */
  isChanged: boolean
  typed: Typed
  /** Clears the error and starts over with these values. `isSaved` false: they count as unsaved. */
  restart: (values: V, isSaved?: boolean) => void
  /** Set if somebody else saved first: their values, and the choice between them and what was typed. */
  conflict: ConflictProps | null
  /** The error of another action of the form (`also` of a revised form). */
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
      // the next action may leave the page, which then asks only about text that was typed during the save
      if (JSON.stringify(latest.current) === JSON.stringify(sent)) typed.isUnsaved = false
      options.done(result, sent)
    },
    onError: () => {
      setCleared(new Set())
      // after the faults have been rendered
      setTimeout(() => {
        const field = formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
        if (field !== null && field !== undefined) field.focus()
        // faults without a field are shown at the top, but a long form is submitted at its end
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
  /** The data as it was read, with its revision. */
  first: B
  /** Reads the current data. */
  read: () => Promise<B>
  /** The fields' values for some data. */
  valuesOf: (read: B) => V
  /** Initial values of the fields, if they differ from the data. */
  initial?: V | undefined
  /** Saves the values, unless somebody else has changed the data since `base`. */
  save: (values: V, base: B) => Promise<R>
  /** Labels and texts of all fields; a conflict shows those that differ. */
  shown: (values: V) => readonly (readonly [name: string, text: string])[]
}

interface RevisedForm<B, V, R> extends FormState<V> {
  /** The data that the form is based on. */
  base: B
  /** Continues from saved data. */
  begin: (next: B) => void
  /**
   * Performs another write on the same revision, such as a reset to the suppliers' value. `done` is called afterwards.
   */
  also: (work: (base: B) => Promise<R>) => void
  isAlsoBusy: boolean
}

/**
 * State of a form for something that exists. If another person saves in the meantime, nothing typed is overwritten: both versions are
 * shown, and the reader chooses.
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
  /** Runs a write. If somebody else saved first, reads the current data for the conflict before it fails. */
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

/** A form: its faults at the top, its fields, its buttons. */
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
  /** Label of the submit button: a verb. */
  submit: string
  /** Other buttons. */
  beside?: ReactNode
  /** Leaving it does not ask: its text is only for signing in or confirming, or is kept elsewhere. */
  isLostQuietly?: boolean
  /** As wide as the page, because it has tables. */
  isWide?: boolean
  /** The page has several forms, and this is not its main one. */
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
