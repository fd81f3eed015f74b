import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asProblem } from '../../api/problem.ts'
import { useRefreshSources, type Source } from '../../api/sources.ts'
import { useForm } from '../../components/form.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Section } from '../../components/page.tsx'
import { showMessage } from '../../components/messages.tsx'
import { Unsaved } from '../../components/unsaved.ts'
import { useAccount } from '../../session/account.ts'
import classes from './import.module.css'
import type { Doc } from './mapping.ts'
import { saveMapping } from './sources.ts'

/** Saves the mapping, for a source whose files are fetched, or for files that are uploaded later. */
export function SaveMapping({
  code,
  mapping,
  mode,
  source,
  sources,
  isValid,
  saved,
}: {
  code: string
  mapping: Doc
  mode: 'full' | 'delta'
  source: string | undefined
  sources: readonly Source[]
  isValid: boolean
  saved: () => void
}) {
  const { t } = useTranslation('import')
  const account = useAccount()
  const refresh = useRefreshSources()
  const [chosen, setChosen] = useState(sources.some(({ name }) => name === source) ? (source ?? '') : '')
  const [blocked, setBlocked] = useState<string | null>(null)
  const isNew = chosen === ''
  const form = useForm({
    initial: { name: '' },
    submit: ({ name }) =>
      saveMapping(
        account.id,
        code,
        isNew ? name : chosen,
        { mapping, mode },
        sources.find((row) => row.name === chosen) ?? null,
      ),
    done(became, { name }) {
      setBlocked(became === 'blocked' ? chosen : null)
      showMessage(t(became === 'on' ? 'keep.savedOn' : 'keep.saved', { name: isNew ? name : chosen }))
      saved()
      // it can be chosen once the sources are read again
      void refresh().then(() => (isNew ? setChosen(name) : undefined))
    },
  })
  const isAboutName = asProblem(form.error).faults.some((fault) => fault.name === 'name')
  return (
    <Section title={t('keep.title')} note={t('keep.note')}>
      <form className={classes.field} ref={form.formRef} onSubmit={form.onSubmit}>
        <Unsaved of={form.typed} when={isNew && form.isChanged} />
        <NativeSelect
          label={t('keep.for')}
          value={chosen}
          data={[
            { value: '', label: t('keep.new') },
            ...sources.map((known) => ({ value: known.name, label: t('keep.source', { name: known.name }) })),
          ]}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        {isNew ? <TextInput {...form.text('name')} label={t('keep.name')} placeholder="price-list" dir="ltr" /> : null}
        <Button
          type="submit"
          variant="default"
          loading={form.isBusy}
          disabled={!isValid || (isNew && form.values.name === '')}
        >
          {t('keep.save')}
        </Button>
      </form>
      {isAboutName ? null : <ProblemNote error={form.error} faults={form.otherFaults} />}
      {blocked === null ? null : (
        <p className={classes.warning} role="status">
          {t('keep.blocked', { name: blocked })}
        </p>
      )}
    </Section>
  )
}
