import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type ReactNode, type SyntheticEvent } from 'react'
import { asProblem } from '../api/problem.ts'
import classes from './form.module.css'
import { ProblemNote } from './problem-note.tsx'

// Forms keep what was typed whatever happens, and show a fault beside its field. Values are checked by the service alone.

interface Options<V, R> {
  initial: V
  submit: (values: V) => Promise<R>
  done: (result: R, values: V) => void
  /** The field that a name in the service's answer is about, where they differ. */
  fieldOf?: (name: string) => string
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
  isChanged: boolean
  /** Starts over with other values. */
  restart: (values: V) => void
  /** Keeps what was typed and forgets the error. */
  forgive: () => void
}

/** State of a form whose fields are the members of `initial`. */
export function useForm<V extends Record<string, unknown>, R>(options: Options<V, R>): FormState<V> {
  const { initial, fieldOf = (name) => name.split(/[.[]/)[0] ?? name } = options
  const [values, setValues] = useState(initial)
  const [cleared, setCleared] = useState<ReadonlySet<string>>(new Set())
  const formRef = useRef<HTMLFormElement>(null)
  const mutation = useMutation({
    mutationFn: options.submit,
    onSuccess: (result, sent) => options.done(result, sent),
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
    isChanged: JSON.stringify(values) !== JSON.stringify(initial),
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
    restart(next) {
      setValues(next)
      mutation.reset()
    },
    forgive: () => mutation.reset(),
  }
}

/** A form with its faults on top, its fields and its buttons. */
export function Form<V extends Record<string, unknown>>({
  form,
  submit,
  beside,
  isErrorHidden = false,
  children,
}: {
  form: FormState<V>
  /** The button's words: a verb. */
  submit: string
  /** Other buttons. */
  beside?: ReactNode
  /** The page shows the error itself. */
  isErrorHidden?: boolean
  children: ReactNode
}) {
  const hasOnlyFieldFaults =
    form.error !== null && asProblem(form.error).faults.length > 0 && form.otherFaults.length === 0
  return (
    <form ref={form.formRef} onSubmit={form.onSubmit} noValidate className={classes.form}>
      {form.error === null || hasOnlyFieldFaults || isErrorHidden ? null : (
        <ProblemNote error={form.error} faults={form.otherFaults} />
      )}
      <div className={classes.fields}>{children}</div>
      <div className={classes.buttons}>
        <Button type="submit" loading={form.isBusy}>
          {submit}
        </Button>
        {beside}
      </div>
    </form>
  )
}
