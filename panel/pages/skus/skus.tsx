import { useDebouncedValue } from '@mantine/hooks'
import type { Answer } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { Empty, Loaded } from '../../components/loaded.tsx'
import { List, type Column } from '../../components/list.tsx'
import { Page, Section } from '../../components/page.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { AccountEditor } from '../../resources/editor.tsx'
import { text } from '../../resources/inputs.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { ProductLink, ProductName } from '../../resources/product-name.tsx'
import { useAccountParams } from '../../session/account.ts'
import classes from './skus.module.css'

type Examples = Answer<'GET /panel/api/accounts/{account_id}/sku-examples'>['data']
type Example = Examples['examples'][number]

const TYPING_MS = 300
const PLACEHOLDERS = [
  'id',
  'sku',
  'supplier_code',
  'supplier_sku',
  'ean',
  'manufacturer',
  'category',
  'category_path',
  'checksum',
] as const

const SPEC = {
  name: 'skus' as const,
  required: [],
  fixed: [],
  fields: {
    sku_pattern: text<string | null>({
      isCode: true,
      isNullable: true,
      placeholder: '{supplier_code|upper}-{supplier_sku}-{checksum}',
    }),
  },
}

/** The SKU pattern, with its result for real products while it is typed. */
export function SkusPage() {
  const words = useResourceWords('skus')
  return (
    <Page title={words.of('title')} lead={words.of('lead')} width="narrow">
      <Section title={words.of('rule')}>
        <AccountEditor
          spec={SPEC}
          aside={(_, values) => (
            <>
              <p className={classes.parts}>
                {words.of('parts')}{' '}
                {PLACEHOLDERS.map((name) => (
                  <code key={name}>{`{${name}}`}</code>
                ))}
                <br />
                {words.of('transformations')} <code>{'{manufacturer|ascii|upper|first:3}'}</code>
              </p>
              <LiveExamples pattern={String(values['sku_pattern'])} />
            </>
          )}
        />
      </Section>
    </Page>
  )
}

function LiveExamples({ pattern }: { pattern: string }) {
  const words = useResourceWords('skus')
  const [settled] = useDebouncedValue(pattern, TYPING_MS)
  const examples = useRead('GET /panel/api/accounts/{account_id}/sku-examples', {
    params: useAccountParams(),
    query: { pattern: settled },
  })
  return (
    <section className={classes.examples} aria-label={words.of('examples')}>
      <h2>{words.of('examples')}</h2>
      <Loaded query={examples}>{({ data }) => <Shown examples={data} pattern={settled} />}</Loaded>
    </section>
  )
}

function Shown({ examples, pattern }: { examples: Examples; pattern: string }) {
  const words = useResourceWords('skus')
  if (examples.faults.length > 0)
    return (
      <ul className={classes.faults}>
        {examples.faults.map(({ at, reason }) => (
          <li key={`${at} ${reason}`}>
            <StateMark tone="bad">{words.of('fault', { at: at + 1, reason })}</StateMark>
            <pre dir="ltr" aria-hidden="true">
              {pattern}
              {'\n'}
              {' '.repeat(at)}^
            </pre>
          </li>
        ))}
      </ul>
    )
  const columns: Column<Example>[] = [
    {
      id: 'sku',
      title: words.of('exported'),
      width: '40%',
      cell: (row) =>
        row.exported === null ? (
          <StateMark tone="warn">{words.of('noSku', { missing: row.missing ?? words.of('ownKey') })}</StateMark>
        ) : (
          <code>{row.exported}</code>
        ),
    },
    {
      id: 'product',
      title: words.of('product'),
      isWide: true,
      cell: (row) => (
        <ProductLink id={row.product_id}>
          <ProductName of={row} id={row.product_id} />
        </ProductLink>
      ),
    },
  ]
  return (
    <>
      {examples.sampled === 0 ? null : (
        <p className={classes.sums}>
          {examples.without + examples.shared === 0
            ? words.of('allApart', { count: examples.sampled })
            : words.of('sums', { sampled: examples.sampled, without: examples.without, shared: examples.shared })}
        </p>
      )}
      <List
        label={words.of('examples')}
        columns={columns}
        rows={examples.examples}
        keyOf={(row) => row.product_id}
        phoneLine={(row) => <ProductName of={row} id={row.product_id} />}
        empty={<Empty>{words.of('noProducts')}</Empty>}
      />
    </>
  )
}
