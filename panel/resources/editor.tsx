import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRefreshAccount } from '../api/read.ts'
import {
  changeResource,
  createResource,
  readResource,
  type Resource,
  type ResourceName,
  type Revised,
  useFormStart,
  useResource,
} from '../api/resources.ts'
import { Form, type FormState, useForm, useRevisedForm } from '../components/form.tsx'
import { Loaded } from '../components/loaded.tsx'
import { showMessage } from '../components/messages.tsx'
import { useAccount } from '../session/account.ts'
import {
  changedBody,
  fieldsOf,
  type FormSpec,
  formValues,
  newBody,
  type ResourceSpec,
  type Values,
  withProposals,
} from './field.ts'
import classes from './inputs.module.css'
import { useResourceWords } from './words.ts'
import { changeSettings, readSettings, type Settings } from '../api/settings.ts'

/** The fields of a resource in a form. Members that never change are read-only once the resource exists. */
function Fields({
  spec,
  form,
  isNew,
}: {
  spec: FormSpec
  form: Pick<FormState<Values>, 'values' | 'set' | 'fault'>
  isNew: boolean
}) {
  const { t } = useTranslation('resources')
  const words = useResourceWords(spec.name)
  const { fixed, required } = spec
  const first = fieldsOf(spec).find(([name]) => isNew || !fixed.includes(name))?.[0]
  const more = isNew ? (spec.more ?? []) : []
  const inputs = (shown: (name: string) => boolean) =>
    fieldsOf(spec).map(([name, { Input }]) => {
      if (!shown(name) || spec.isShown?.(name, form.values) === false) return null
      const isFixed = fixed.includes(name)
      const hints = [words.hint(name), isFixed ? t('neverChanges') : undefined]
      return (
        <Input
          key={name}
          name={name}
          label={words.label(name)}
          hint={hints.filter((hint) => hint !== undefined).join(' ') || undefined}
          placeholder={spec.placeholders?.[name]?.(form.values)}
          value={form.values[name]}
          set={(value: unknown) => form.set({ [name]: value })}
          error={form.fault(name)}
          isDisabled={isFixed && !isNew}
          isRequired={isNew && required.includes(name)}
          isFirst={name === first}
        />
      )
    })
  return (
    <>
      {inputs((name) => !more.includes(name))}
      {more.length === 0 ? null : (
        <MoreSettings note={words.of('more')} isFaulty={more.some((name) => form.fault(name) !== undefined)}>
          {inputs((name) => more.includes(name))}
        </MoreSettings>
      )}
    </>
  )
}

/** Fields that few people need. They unfold automatically if one of them has a fault. */
function MoreSettings({ note, isFaulty, children }: { note: string; isFaulty: boolean; children: ReactNode }) {
  const { t } = useTranslation('resources')
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={classes.more} open={isOpen || isFaulty} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {t('moreSettings')}
        <span className={classes.hint}>{note}</span>
      </summary>
      <div className={classes.moreFields}>{children}</div>
    </details>
  )
}

/** The form for a new resource. `made` is called with it, including what is shown only once. */
export function NewResource<N extends ResourceName>({
  spec,
  made,
}: {
  spec: ResourceSpec<N>
  made: (item: Resource<N>) => void
}) {
  const words = useResourceWords(spec.name)
  const account = useAccount()
  const refresh = useRefreshAccount()
  const form = useForm<Values, Resource<N>>({
    initial: formValues(spec, spec.initial),
    submit: (values) => createResource(account.id, spec.name, newBody(spec, values)),
    done(item) {
      void refresh()
      made(item)
    },
  })
  return (
    <Form form={form} submit={words.of('create')}>
      <Fields spec={spec} form={{ ...form, set: (typed) => form.set(withProposals(spec, form.values, typed)) }} isNew />
    </Form>
  )
}

/** How the edited data is read and changed. */
interface Source<T> {
  read: () => Promise<Revised<T>>
  /** Merges the changed members. Fails if somebody else has changed the data since the revision. */
  change: (body: object, revision: string) => Promise<Revised<T>>
}

interface EditorProps<T> {
  spec: FormSpec
  read: Revised<T>
  source: Source<T>
  /** If set, opens the question before a deletion; only for an item that exists (its revision is not empty). */
  remove?: ((item: T) => void) | undefined
  /** Further content below the form. */
  aside?: ((item: T, values: Values) => ReactNode) | undefined
  /** Called after a save. */
  saved?: (() => void) | undefined
}

/** The form for one account resource. */
export function EditResource<N extends ResourceName>({
  itemKey,
  ...props
}: Omit<EditorProps<Resource<N>>, 'read' | 'source'> & { spec: ResourceSpec<N>; itemKey: string | number }) {
  const account = useAccount()
  const { name } = props.spec
  const query = useResource(account.id, name, itemKey)
  return (
    <Loaded query={query}>
      {(read) => (
        <Editor
          {...props}
          read={read}
          source={{
            read: () => readResource(account.id, name, itemKey),
            change: (body, revision) => changeResource(account.id, name, itemKey, body, revision),
          }}
        />
      )}
    </Loaded>
  )
}

/** The form for data that is read and changed at an address of its own. `name`: cache key. */
export function EditSource<T extends object>({
  name,
  ...props
}: Omit<EditorProps<T>, 'read'> & { name: readonly (string | number)[] }) {
  const account = useAccount()
  const query = useFormStart(account.id, name, props.source.read)
  return <Loaded query={query}>{(read) => <Editor {...props} read={read} />}</Loaded>
}

/** The form for something that exists. Two people who edit it at once see each other's changes. */
function Editor<T extends object>({ spec, read, source, remove, aside, saved }: EditorProps<T>) {
  const { t } = useTranslation(['resources', 'shared'])
  const words = useResourceWords(spec.name)
  const refresh = useRefreshAccount()
  const answered = { yes: t('shared:yes'), no: t('shared:no') }
  const form = useRevisedForm<Revised<T>, Values, Revised<T>>({
    first: read,
    read: source.read,
    valuesOf: ({ data }) => formValues(spec, data),
    save: (values, { data, revision }) => source.change(changedBody(spec, data, values), revision),
    shown: (values) =>
      fieldsOf(spec).map(([name, field]) => [words.label(name), field.show(values[name], answered)] as const),
    done(stored) {
      form.begin(stored)
      form.restart(formValues(spec, stored.data))
      void refresh()
      showMessage(t('shared:saved'))
      saved?.()
    },
  })
  const { base } = form
  return (
    <>
      <Form
        form={form}
        submit={t('shared:save')}
        beside={
          remove === undefined || base.revision === '' ? undefined : (
            <Button variant="default" c="var(--sw-bad)" onClick={() => remove(base.data)}>
              {words.of('delete')}
            </Button>
          )
        }
      >
        <Fields spec={spec} form={form} isNew={false} />
      </Form>
      {aside?.(base.data, form.values)}
    </>
  )
}

/** The form for some of the account's settings. */
export function AccountEditor(props: {
  spec: FormSpec
  saved?: () => void
  aside?: (settings: Settings, values: Record<string, unknown>) => ReactNode
}) {
  const account = useAccount()
  return (
    <EditSource
      {...props}
      name={['account']}
      source={{
        read: () => readSettings(account.id),
        change: (body, revision) => changeSettings(account.id, body, revision),
      }}
    />
  )
}
