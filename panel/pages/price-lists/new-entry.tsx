import { NativeSelect, TextInput } from '@mantine/core'
import { useResources } from '../../api/resources.ts'
import { SidePanel } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { showMessage } from '../../components/messages.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount } from '../../session/account.ts'
import { useListWords, type PriceList } from './list-words.ts'
import { typedPrice } from './move.ts'
import { useWriteEntry } from './write-entry.tsx'

/** The keys by which a product can be named. */
const KEYS = ['sku', 'ean', 'product_id'] as const

/** The service reports faults by row. A fault of the whole row is shown at the product. */
const fieldOf = (name: string) => ['price', 'group_id'].find((field) => name.split(/[./]/).at(-1) === field) ?? 'key'

/** The member that names a product by the typed key. An invalid ID is sent as it is, and the service refuses it. */
function productOf(by: string, typed: string) {
  const key = typed.trim()
  if (by === 'ean') return { ean: key }
  return by === 'product_id' ? { product_id: /^\d{1,15}$/.test(key) ? Number(key) : (key as never) } : { sku: key }
}

/** Adds a product, by SKU, EAN or ID, with its price. */
export function NewEntry({ list, close }: { list: PriceList; close: () => void }) {
  const words = useResourceWords('price-lists')
  const account = useAccount()
  const said = useListWords()
  const { data: groups = [] } = useResources(account.id, 'groups')
  const { write, question } = useWriteEntry(list)
  const form = useForm({
    initial: { by: 'sku', key: '', group_id: '', price: '' },
    fieldOf,
    submit: ({ by, key, group_id: group, price }) =>
      write({
        ...productOf(by, key),
        group_id: group === '' ? null : Number(group),
        price: typedPrice(price),
        expected: null,
      }),
    done(isWritten, { key }) {
      if (!isWritten) return
      close()
      showMessage(words.of('entry.written', { product: key.trim() }))
    },
  })
  return (
    <SidePanel title={words.of('entry.new')} close={close}>
      <Form form={form} submit={words.of('entry.write')}>
        <NativeSelect
          {...form.text('by')}
          label={words.of('entry.by')}
          data={KEYS.map((value) => ({ value, label: words.of(`entry.keys.${value}`) }))}
        />
        <TextInput
          {...form.text('key')}
          label={words.of('product')}
          description={words.of('entry.keyHint')}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <NativeSelect
          {...form.text('group_id')}
          label={words.label('group_id')}
          data={[
            {
              value: '',
              label: list.group_id === null ? said.group(list) : words.of('entry.asList', { group: said.group(list) }),
            },
            ...groups.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
        <TextInput
          {...form.text('price')}
          label={words.of('price', { currency: list.currency })}
          description={words.of('entry.priceHint')}
          inputMode="decimal"
          dir="ltr"
          autoComplete="off"
          styles={{ wrapper: { maxWidth: 220 } }}
        />
      </Form>
      {question}
    </SidePanel>
  )
}
