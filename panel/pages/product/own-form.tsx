import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { asProblem } from '../../api/problem.ts'
import type { Revised } from '../../api/resources.ts'
import { Conflict } from '../../components/conflict.tsx'
import { Form, useForm, type FormState } from '../../components/form.tsx'
import { useConflict } from '../../components/use-conflict.ts'
import { useAccount } from '../../session/account.ts'
import { readOwn, type OwnProduct } from './data.ts'
import { useEditing, useSave, type Saved } from './editing.tsx'
import classes from './editing.module.css'

export interface OwnFormProps<V extends Record<string, unknown>> {
  title: string
  /** What the form begins with. */
  read: Revised<OwnProduct>
  /** What the fields hold of what is set. */
  initial: (own: OwnProduct) => V
  /** The members to change; none: nothing was changed. */
  body: (values: V, own: OwnProduct) => Record<string, unknown>
  /** What takes such a change back, for what was set before it. */
  back: (body: Record<string, unknown>, own: OwnProduct) => Record<string, unknown>
  /** The members that show the suppliers' value again; null: nothing of it is set. */
  reset: ((own: OwnProduct) => Record<string, unknown> | null) | null
  /** What was done, in words. */
  said: { saved: string; reset: string }
  /** The buttons' words, where they are not about a value of one's own. */
  verbs?: { save: string; reset: string }
  fieldOf: (name: string) => string
  /** Names of the fields and what is in them, for a conflict. */
  differences: (theirs: V, mine: V) => { name: string; theirs: string; mine: string }[]
  children: (form: FormState<V>) => ReactNode
  close: () => void
}

/** Sets what is the account's own on a product, and shows the suppliers' value again. Two people who do it at once are told. */
export function OwnForm<V extends Record<string, unknown>>(props: OwnFormProps<V>) {
  const { t } = useTranslation(['product-edit', 'shared'])
  const account = useAccount()
  const { productId, done } = useEditing()
  const save = useSave()
  const { base, theirs, guard, choices } = useConflict(props.read, () => readOwn(account.id, productId))
  const attempt = (body: Record<string, unknown>, text: string): Promise<Saved> =>
    guard(() => save(text, body, props.back(body, base.data), base.revision))
  const finish = (saved: Saved) => {
    props.close()
    void done(saved)
  }
  const form = useForm<V, Saved>({
    initial: props.initial(base.data),
    submit: (values) => attempt(props.body(values, base.data), props.said.saved),
    done: finish,
    fieldOf: props.fieldOf,
  })
  const reset = props.reset?.(base.data) ?? null
  const [isResetting, setResetting] = useState(false)
  const [resetError, setResetError] = useState<unknown>(null)
  const resetNow = async (body: Record<string, unknown>) => {
    setResetting(true)
    try {
      finish(await attempt(body, props.said.reset))
    } catch (error) {
      setResetError(error)
    } finally {
      setResetting(false)
    }
  }
  return (
    <div className={classes.form}>
      <h3>{props.title}</h3>
      {theirs === null ? null : (
        <Conflict
          differences={props.differences(props.initial(theirs.data), form.values)}
          {...choices(
            form,
            ({ data }) => props.initial(data),
            () => setResetError(null),
          )}
        />
      )}
      {resetError === null || theirs !== null ? null : <p role="alert">{asProblem(resetError).message}</p>}
      <Form
        form={form}
        submit={props.verbs?.save ?? t('own.save')}
        isErrorHidden={theirs !== null}
        beside={
          reset === null ? undefined : (
            <Button variant="default" loading={isResetting} onClick={() => void resetNow(reset)}>
              {props.verbs?.reset ?? t('own.reset')}
            </Button>
          )
        }
      >
        {props.children(form)}
      </Form>
    </div>
  )
}
