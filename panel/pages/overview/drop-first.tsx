import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createResource, useResources } from '../../api/resources.ts'
import { CodePicker } from '../../components/code-picker.tsx'
import { FileDrop } from '../../components/file-drop.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { codeOf } from '../../resources/code.ts'
import { SUPPLIER_SPEC } from '../../resources/supplier-spec.ts'
import { keepDroppedFile } from '../../runs/dropped-file.ts'
import { useAccount } from '../../session/account.ts'
import classes from './overview.module.css'
import type { Overview } from './overview.tsx'

/**
 * The first step: dropping a supplier's file. If there is one supplier, its import opens at once; otherwise the person names the
 * supplier.
 */
export function DropFirst() {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  const { data: suppliers } = useResources(id, 'suppliers')
  const [file, setFile] = useState<File | null>(null)
  const goOn = useImport()
  if (suppliers === undefined) return null
  const only = suppliers.length === 1 ? suppliers[0] : undefined
  if (file !== null)
    return <WhoseFile file={file} codes={suppliers.map(({ code }) => code)} goOn={goOn} back={() => setFile(null)} />
  return (
    <FileDrop
      label={t('onboarding.file.choose')}
      note={t('onboarding.file.note')}
      isBusy={false}
      isInDialog
      choose={(dropped) => (only === undefined ? setFile(dropped) : goOn(only.code, dropped))}
    >
      <p>{only === undefined ? t('onboarding.file.drop') : t('onboarding.file.dropOf', { name: only.name })}</p>
    </FileDrop>
  )
}

/** Replaces the first step while a file is being imported, even if that was started elsewhere. */
export function ImportRuns({ running }: { running: Overview['imports']['running'] }) {
  const { t } = useTranslation('overview')
  const { id } = useAccount()
  return running.map(({ supplier, name, run_id: runId, written, total }) => (
    <p key={runId} className={classes.ways}>
      <span>{t('onboarding.file.running', { name })}</span>
      <progress
        aria-label={t('onboarding.file.running', { name })}
        max={total ?? 1}
        {...(total === null ? {} : { value: written })}
      />
      <Link to="/$account/suppliers/$supplier/runs/$run" params={{ account: String(id), supplier, run: String(runId) }}>
        {t('onboarding.file.seeRun')}
      </Link>
    </p>
  ))
}

/** Hands the file over to a supplier's import page. */
function useImport(): (code: string, file: File) => void {
  const { id } = useAccount()
  const navigate = useNavigate()
  return (code, file) => {
    keepDroppedFile(code, file)
    void navigate({
      to: '/$account/suppliers/$supplier/import',
      params: { account: String(id), supplier: code },
      search: { from: 'steps' },
    })
  }
}

/** A supplier's name from a file name: "acme_price-list.csv" becomes "acme price list". */
const nameOf = (fileName: string) =>
  fileName
    .replace(/(?:\.[a-z0-9]{1,5})+$/i, '')
    .replaceAll(/[_\-.\s]+/g, ' ')
    .trim()
    .slice(0, 100)

/** A code that no supplier has yet. */
function freeCode(name: string, taken: readonly string[]): string {
  const code = codeOf(name) || 'supplier'
  for (let i = 1; ; i++) {
    const next = i === 1 ? code : `${code}-${i}`
    if (!taken.includes(next)) return next
  }
}

/** Asks for the supplier of a file, and creates it. */
function WhoseFile({
  file,
  codes,
  goOn,
  back,
}: {
  file: File
  codes: readonly string[]
  goOn: (code: string, file: File) => void
  back: () => void
}) {
  const { t } = useTranslation('overview')
  const { id, currency } = useAccount()
  const client = useQueryClient()
  const form = useForm({
    initial: { name: nameOf(file.name), currency },
    submit: ({ name, currency: own }) =>
      createResource(id, 'suppliers', {
        ...SUPPLIER_SPEC.initial,
        name,
        currency: own,
        code: freeCode(name, codes),
      }),
    done({ code }) {
      void client.invalidateQueries()
      goOn(code, file)
    },
  })
  return (
    <Form
      form={form}
      submit={t('onboarding.file.read')}
      isLostQuietly
      beside={
        <Button variant="default" onClick={back}>
          {t('onboarding.file.other')}
        </Button>
      }
    >
      <p className={classes.hint}>
        {t('onboarding.file.chosen')} <bdi>{file.name}</bdi>
      </p>
      <TextInput
        {...form.text('name')}
        label={t('onboarding.file.supplier')}
        description={t('onboarding.file.supplierHint')}
        autoFocus
      />
      <CodePicker
        kind="currency"
        name="currency"
        label={t('onboarding.file.currency')}
        description={t('onboarding.file.currencyHint')}
        value={form.values.currency}
        error={form.fault('currency')}
        onChange={(code) => form.set({ currency: code.trim().toUpperCase() })}
      />
      {codes.length === 0 ? null : (
        <p className={classes.hint}>
          <Link to="/$account/suppliers" params={{ account: String(id) }}>
            {t('onboarding.file.known')}
          </Link>
        </p>
      )}
    </Form>
  )
}
