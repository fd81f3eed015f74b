import { Button, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { isReadyMapping, READY_MAPPING_NAMES } from '../../../contract/file-formats.ts'
import type { Revised } from '../../api/resources.ts'
import {
  changeSource,
  createSource,
  isMapped,
  NOT_MAPPED,
  readSource,
  useRefreshSources,
  useSources,
  type Source,
  type SourceKind,
  type SourcesOf,
} from '../../api/sources.ts'
import { CodePicker } from '../../components/code-picker.tsx'
import { Form, useForm, useRevisedForm, type FormState } from '../../components/form.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { showMessage } from '../../components/messages.tsx'
import { ScheduleField, useScheduleWords } from './schedule-field.tsx'
import { writtenSchedule } from './schedule.ts'
import { presetOf } from './source-words.tsx'
import {
  changedSourceBody,
  CREDENTIALS_OF,
  MAPPING_OF,
  NEW_SOURCE,
  newSourceBody,
  sourceFieldOf,
  typedSource,
  type SourceValues,
} from './source-values.ts'

const KINDS: readonly SourceKind[] = ['http', 'sftp', 'ftp', 'directory', 'upload']
const PLACEHOLDERS: Readonly<Record<SourceKind, string>> = {
  http: 'https://files.example/stock.csv',
  sftp: 'sftp://files.example/out/stock-*.csv',
  ftp: 'ftps://files.example/out/stock-*.csv',
  directory: 'north/*.csv',
  upload: '',
}
type Fields = Pick<FormState<SourceValues>, 'values' | 'set' | 'fault' | 'text'>

/** The form for a new source. The second argument of `made` says whether its columns are mapped next. */
export function NewSource({ of, made }: { of: SourcesOf; made: (source: Source, isToBeMapped: boolean) => void }) {
  const { t } = useTranslation('sources')
  const refresh = useRefreshSources()
  const { data: others = [] } = useSources(of)
  const form = useForm<SourceValues, Source>({
    initial: NEW_SOURCE,
    fieldOf: sourceFieldOf,
    submit: (values) => createSource(of, newSourceBody(values, NOT_MAPPED, others)),
    done(source) {
      void refresh()
      showMessage(t('created', { name: source.name }))
      made(source, !isMapped(source))
    },
  })
  return (
    <Form form={form} submit={t(form.values.mapping === 'later' ? 'createAndMap' : 'create')}>
      <SourceFields form={form} source={null} of={of} />
    </Form>
  )
}

/** The form for an existing source. Two people who edit it at once see each other's changes. */
export function EditSource({ of, read, done }: { of: SourcesOf; read: Revised<Source>; done: () => void }) {
  const { t } = useTranslation(['sources', 'shared'])
  const refresh = useRefreshSources()
  const { name } = read.data
  const form = useRevisedForm<Revised<Source>, SourceValues, Revised<Source>>({
    first: read,
    read: () => readSource(of, name),
    valuesOf: ({ data }) => typedSource(data),
    fieldOf: sourceFieldOf,
    save: (values, base) => changeSource(of, name, changedSourceBody(base.data, values), base.revision),
    shown: useShown(),
    done() {
      void refresh()
      showMessage(t('shared:saved'))
      done()
    },
  })
  return (
    <Form
      form={form}
      submit={t('shared:save')}
      beside={
        <Button variant="default" onClick={done}>
          {t('shared:cancel')}
        </Button>
      }
    >
      <SourceFields form={form} source={form.base.data} of={of} />
    </Form>
  )
}

/** Labels and texts of the fields for a conflict, without credentials. */
function useShown() {
  const { t } = useTranslation('sources')
  const scheduleOf = useScheduleWords()
  return (values: SourceValues): [name: string, text: string][] => {
    const { schedule } = values
    return [
      [t('fields.url'), values.url],
      [t('fields.path'), values.path],
      [
        t('fields.credentials'),
        values.credentials === '' ? t('noCredentials') : t(`credentials.${values.credentials}`),
      ],
      [t('fields.host_key'), values.host_key],
      [t('fields.mapping'), values.mapping === 'own' ? t('ownMapping') : values.mapping],
      [t('fields.mode'), t(`modes.${values.mode}`)],
      [
        t('schedule.title'),
        scheduleOf({
          ...writtenSchedule(schedule),
          every_minutes: schedule.when === 'every' ? Number(schedule.every) : null,
        }),
      ],
    ]
  }
}

function SourceFields({ form, source, of }: { form: Fields; source: Source | null; of: SourcesOf }) {
  const { t } = useTranslation('sources')
  const { values, set } = form
  const { kind } = values
  const code = { dir: 'ltr', autoComplete: 'off', spellCheck: false } as const
  const setKind = (next: SourceKind) => set({ kind: next, credentials: '' })
  return (
    <>
      {source === null ? (
        <>
          <TextInput
            {...form.text('name')}
            {...code}
            label={t('fields.name')}
            description={t('hints.name')}
            placeholder="stock"
            data-autofocus
          />
          <NativeSelect
            label={t('fields.kind')}
            name="kind"
            value={kind}
            error={form.fault('kind')}
            data={KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            onChange={(event) => setKind(event.currentTarget.value as SourceKind)}
          />
        </>
      ) : null}
      {CREDENTIALS_OF[kind].length === 0 ? null : (
        <TextInput
          {...form.text('url')}
          {...code}
          label={t('fields.url')}
          description={kind === 'http' ? t('hints.http') : kind === 'sftp' ? t('hints.sftp') : t('hints.ftp')}
          placeholder={PLACEHOLDERS[kind]}
        />
      )}
      {kind === 'directory' ? (
        <TextInput
          {...form.text('path')}
          {...code}
          label={t('fields.path')}
          description={t('hints.path')}
          placeholder={PLACEHOLDERS.directory}
        />
      ) : null}
      {CREDENTIALS_OF[kind].length === 0 ? null : <CredentialsFields form={form} source={source} />}
      {kind === 'sftp' ? (
        <TextInput
          {...form.text('host_key')}
          {...code}
          label={t('fields.host_key')}
          description={t('hints.host_key')}
          placeholder="SHA256:…"
        />
      ) : null}
      <MappingFields form={form} source={source} of={of} />
      <NativeSelect
        label={t('fields.mode')}
        description={t('hints.mode')}
        name="mode"
        value={values.mode}
        error={form.fault('mode')}
        data={(['full', 'delta'] as const).map((value) => ({ value, label: t(`modeMeans.${value}`) }))}
        onChange={(event) => set({ mode: event.currentTarget.value as SourceValues['mode'] })}
      />
      {kind === 'upload' ? null : (
        <ScheduleField
          value={values.schedule}
          set={(changes) => set({ schedule: { ...values.schedule, ...changes } })}
          fault={(name) => form.fault(name as 'schedule')}
        />
      )}
    </>
  )
}

/** Credentials. Stored ones are never shown: they are kept, replaced or removed. */
function CredentialsFields({ form, source }: { form: Fields; source: Source | null }) {
  const { t } = useTranslation('sources')
  const { values, set } = form
  const { credentials: kind } = values
  const stored = source?.credentials?.kind
  const secret = { autoComplete: 'new-password', dir: 'ltr' } as const
  const plain = { autoComplete: 'off', dir: 'ltr', spellCheck: false } as const
  const data = [
    ...(stored === undefined
      ? []
      : [{ value: 'kept', label: t('keepCredentials', { kind: t(`credentials.${stored}`) }) }]),
    { value: '', label: stored === undefined ? t('noCredentials') : t('removeCredentials') },
    ...CREDENTIALS_OF[values.kind].map((value) => ({
      value,
      label:
        stored === undefined ? t(`credentials.${value}`) : t('replaceCredentials', { kind: t(`credentials.${value}`) }),
    })),
  ]
  return (
    <>
      <NativeSelect
        label={t('fields.credentials')}
        description={t('hints.credentials')}
        name="credentials"
        value={kind}
        error={form.fault('credentials')}
        aria-invalid={form.fault('credentials') === undefined ? undefined : true}
        data={data}
        onChange={(event) => set({ credentials: event.currentTarget.value as SourceValues['credentials'] })}
      />
      {kind === 'basic' || kind === 'password' || kind === 'key' ? (
        <TextInput {...form.text('username')} {...plain} label={t('fields.username')} />
      ) : null}
      {kind === 'basic' || kind === 'password' ? (
        <PasswordInput {...form.text('password')} {...secret} label={t('fields.password')} />
      ) : null}
      {kind === 'bearer' ? <PasswordInput {...form.text('token')} {...secret} label={t('fields.token')} /> : null}
      {kind === 'header' ? (
        <>
          <TextInput {...form.text('header_name')} {...plain} label={t('fields.header_name')} placeholder="X-Api-Key" />
          <PasswordInput {...form.text('header_value')} {...secret} label={t('fields.header_value')} />
        </>
      ) : null}
      {kind === 'key' ? (
        <>
          <Textarea
            {...form.text('private_key')}
            {...plain}
            label={t('fields.private_key')}
            description={t('hints.private_key')}
            autosize
            minRows={3}
            maxRows={8}
          />
          <PasswordInput {...form.text('passphrase')} {...secret} label={t('fields.passphrase')} />
        </>
      ) : null}
    </>
  )
}

/** The mapping of the source: a ready mapping, or one that is made with a file. */
function MappingFields({ form, source, of }: { form: Fields; source: Source | null; of: SourcesOf }) {
  const { t } = useTranslation('sources')
  const { values } = form
  const preset = source === null ? null : presetOf(source)
  const { data: others = [] } = useSources(of)
  const ofOthers = others.filter((other) => source === null && isMapped(other) && typedSource(other).mapping === 'own')
  const ofItsOwn =
    source === null
      ? { value: 'later', label: t('mapLater') }
      : { value: 'own', label: preset === null ? t('ownMapping') : t('ownOfPreset', { preset }) }
  const isReady = isReadyMapping(values.mapping)
  return (
    <>
      <NativeSelect
        label={t('fields.mapping')}
        description={t('hints.mapping')}
        name="mapping"
        value={values.mapping}
        error={form.fault('mapping')}
        data={[
          // a source with a ready mapping gets one of its own only in the mapping editor
          ...(source !== null && typedSource(source).mapping !== 'own' ? [] : [ofItsOwn]),
          ...ofOthers.map(({ name }) => ({ value: MAPPING_OF + name, label: t('mappingOf', { name }) })),
          ...READY_MAPPING_NAMES.map((name) => ({ value: name, label: t(`presets.${name}`) })),
        ]}
        onChange={(event) => form.set({ mapping: event.currentTarget.value })}
      />
      {isReady ? (
        <>
          <CodePicker
            {...form.text('locale')}
            kind="language"
            onChange={(locale) => form.set({ locale })}
            label={t('fields.locale')}
            description={t('hints.locale')}
            placeholder="en"
          />
          {values.mapping === 'magento2' || values.image_base_url !== '' ? (
            <TextInput
              {...form.text('image_base_url')}
              label={t('fields.image_base_url')}
              description={t('hints.image_base_url')}
              placeholder="https://shop.example/media/catalog/product"
              dir="ltr"
            />
          ) : null}
        </>
      ) : source === null ? null : (
        <div>
          <LinkButton to={`/${of.accountId}/suppliers/${of.code}/import`} search={{ source: source.name }} size="xs">
            {t('map')}
          </LinkButton>
        </div>
      )}
    </>
  )
}
