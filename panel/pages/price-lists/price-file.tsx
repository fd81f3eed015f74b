import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { useRefreshAccount } from '../../api/read.ts'
import { sendFile } from '../../api/send-file.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FileDrop } from '../../components/file-drop.tsx'
import { Waiting } from '../../components/loaded.tsx'
import { showMessage } from '../../components/messages.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { Effect, type PricesWritten } from './effect.tsx'
import type { PriceList } from './list-words.ts'
import classes from './price-lists.module.css'

const FILE = 'PUT /v1/account/price-lists/{key}/file'
/** Decimal separators with their names; '': detected for each price. */
const SIGNS = [
  ['', 'each'],
  [',', 'comma'],
  ['.', 'point'],
] as const

/** Counts chosen files, so that each is checked anew, even one with the same name. */
let files = 0

interface Chosen {
  file: File
  number: number
}

/** Imports prices from a CSV file. A dry run shows the effect first; then all prices are written, or none. */
export function PriceFile({ list, close }: { list: PriceList; close: () => void }) {
  const { t } = useTranslation()
  const words = useResourceWords('price-lists')
  const account = useAccount()
  const refresh = useRefreshAccount()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [isKept, setKept] = useState(false)
  const [decimal, setDecimal] = useState<string>('')
  const send = async ({ file }: Chosen, query: object, signal?: AbortSignal): Promise<PricesWritten> => {
    const answer = await sendFile(FILE, {
      accountId: account.id,
      params: { key: list.key },
      query: { keep: isKept, decimal, ...query },
      file,
      fileName: file.name,
      type: 'text/csv',
      ...(signal === undefined ? {} : { signal }),
    })
    return (answer as Answer<typeof FILE>).data
  }
  const looked = useQuery({
    queryKey: ['preview of a price list', account.id, list.key, chosen?.number ?? 0, isKept, decimal],
    queryFn: async ({ signal }) => (chosen === null ? null : await send(chosen, { dry_run: true }, signal)),
    enabled: chosen !== null,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const write = useMutation({
    mutationFn: async (isConfirmed: boolean) => {
      if (chosen !== null) await send(chosen, { confirm: isConfirmed })
    },
    onSuccess() {
      void refresh()
      close()
      showMessage(words.of('file.written', { name: list.name }))
    },
  })
  const found = looked.data ?? undefined
  const isNothing = found !== undefined && found.created + found.changed + found.removed === 0
  const jumps = found?.preview.jumps ?? 0
  const change = (set: () => void) => {
    write.reset()
    set()
  }
  return (
    <Dialog title={words.of('file.title')} size={780} close={close}>
      <ProblemNote error={write.error} />
      <FileDrop
        label={words.of('file.choose')}
        button={words.of(chosen === null ? 'file.choose' : 'file.other')}
        isInDialog
        accept=".csv,.tsv,.txt,text/csv"
        note={words.of('file.note')}
        isBusy={looked.isFetching}
        choose={(file) => change(() => setChosen({ file, number: ++files }))}
      >
        {chosen === null ? null : <strong dir="auto">{chosen.file.name}</strong>}
      </FileDrop>
      <div className={classes.settings}>
        <Checkbox
          label={words.of('file.keep')}
          description={words.of('file.keepHint')}
          checked={isKept}
          onChange={(event) => {
            const { checked } = event.currentTarget
            change(() => setKept(checked))
          }}
        />
        <NativeSelect
          label={words.of('file.decimal')}
          value={decimal}
          data={SIGNS.map(([value, name]) => ({ value, label: words.of(`file.decimals.${name}`) }))}
          onChange={(event) => {
            const { value } = event.currentTarget
            change(() => setDecimal(value))
          }}
        />
      </div>
      {chosen === null ? null : looked.isError ? (
        <ProblemNote error={looked.error} faults={asProblem(looked.error).faults} />
      ) : found === undefined ? (
        <Waiting lines={3} />
      ) : (
        <>
          <Rows written={found} isNothing={isNothing} />
          {isNothing ? null : <Effect written={found} />}
        </>
      )}
      <div className={classes.end}>
        <Button variant="default" onClick={close}>
          {t('cancel')}
        </Button>
        <Button
          {...(jumps > 0 ? { color: 'red.9' } : {})}
          disabled={found === undefined || looked.isFetching || isNothing}
          loading={write.isPending}
          onClick={() => write.mutate(jumps > 0)}
        >
          {words.of(jumps > 0 ? 'jump.write' : 'file.write')}
        </Button>
      </div>
    </Dialog>
  )
}

/** How the file's rows change the list. */
function Rows({ written, isNothing }: { written: PricesWritten; isNothing: boolean }) {
  const words = useResourceWords('price-lists')
  const format = useFormats()
  if (isNothing) return <p role="status">{words.of('file.nothing')}</p>
  const counts = (['created', 'changed', 'removed', 'unchanged'] as const).filter((name) => written[name] > 0)
  const rows = format.list(counts.map((name) => words.of(`file.${name}`, { count: written[name] })))
  return <p>{words.of('file.rows', { rows })}</p>
}
