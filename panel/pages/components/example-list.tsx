import { useChosen } from '../../components/chosen.ts'
import { Empty } from '../../components/loaded.tsx'
import { List } from '../../components/list.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { showMessage } from '../../components/messages.tsx'

const ROWS = Array.from({ length: 2_000 }, (_, i) => ({ id: i + 1, name: `Product ${i + 1}`, stock: (i * 37) % 411 }))

type Row = (typeof ROWS)[number]

export function ExampleList() {
  const { selection } = useChosen<Row, number>(
    (row) => row.id,
    (row) => `Choose ${row.name}`,
  )
  return (
    <List
      label="Example"
      rows={ROWS}
      keyOf={(row) => row.id}
      selection={selection}
      open={(row) => showMessage(row.name)}
      empty={<Empty>Nothing.</Empty>}
      phoneLine={(row) => `ID ${row.id}`}
      columns={[
        { id: 'name', title: 'Name', sortBy: (row) => row.id, cell: (row) => row.name },
        {
          id: 'state',
          title: 'State',
          width: '30%',
          cell: (row) => (
            <StateMark tone={row.stock > 0 ? 'good' : 'off'}>{row.stock > 0 ? 'In stock' : 'Sold out'}</StateMark>
          ),
        },
        {
          id: 'stock',
          title: 'Stock',
          width: '15%',
          isNumber: true,
          sortBy: (row) => row.stock,
          cell: (row) => row.stock,
        },
      ]}
    />
  )
}
