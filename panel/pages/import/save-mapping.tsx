import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asProblem } from '../../api/problem.ts'
import { useRefreshSources, type Source } from '../../api/sources.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { Section } from '../../components/section.tsx'
import { tell } from '../../components/told.tsx'
import { useAccount } from '../../session/account.ts'
import classes from './import.module.css'
import type { Doc } from './mapping.ts'
import { saveMapping } from './sources.ts'

/** Keeps the mapping: for a source whose files are fetched, or for files that are sent later. */
export function SaveMapping({
  code,
  mapping,
  mode,
  source,
  sources,
  isValid,
}: {
  code: string
  mapping: Doc
  mode: 'full' | 'delta'
  source: string | undefined
  sources: readonly Source[]
  isValid: boolean
}) {
  const { t } = useTranslation('import')
  const account = useAccount()
  const refresh = useRefreshSources()
  const [chosen, setChosen] = useState(sources.some(({ name }) => name === source) ? (source ?? '') : '')
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [blocked, setBlocked] = useState<string | null>(null)
  const faults = error === null ? [] : asProblem(error).faults
  const isNew = chosen === ''
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      const known = sources.find((row) => row.name === chosen) ?? null
      const became = await saveMapping(account.id, code, isNew ? name : chosen, { mapping, mode }, known)
      setBlocked(became === 'blocked' ? chosen : null)
      tell(t(became === 'on' ? 'keep.savedOn' : 'keep.saved', { name: isNew ? name : chosen }))
      await refresh()
      if (isNew) setChosen(name)
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section title={t('keep.title')} note={t('keep.note')}>
      <form
        className={classes.field}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <NativeSelect
          label={t('keep.for')}
          value={chosen}
          data={[
            { value: '', label: t('keep.new') },
            ...sources.map((known) => ({ value: known.name, label: t('keep.source', { name: known.name }) })),
          ]}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        {isNew ? (
          <TextInput
            label={t('keep.name')}
            placeholder="price-list"
            dir="ltr"
            value={name}
            error={faults.find((fault) => fault.name === 'name')?.reason}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        ) : null}
        <Button type="submit" variant="default" loading={isBusy} disabled={!isValid || (isNew && name === '')}>
          {t('keep.save')}
        </Button>
      </form>
      {error === null || faults.some((fault) => fault.name === 'name') ? null : (
        <ProblemNote error={error} faults={faults} />
      )}
      {blocked === null ? null : (
        <p className={classes.warning} role="status">
          {t('keep.blocked', { name: blocked })}
        </p>
      )}
    </Section>
  )
}
