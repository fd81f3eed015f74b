import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../api/problem.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Conflict } from '../../components/conflict.tsx'
import { Confirm, SidePanel } from '../../components/dialog.tsx'
import { Empty, Waiting } from '../../components/loaded.tsx'
import { Facts } from '../../components/facts.tsx'
import { Filters } from '../../components/filters.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { Kbd } from '../../components/kbd.tsx'
import { Page, Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { StateMark, type Tone } from '../../components/state-mark.tsx'
import { showMessage } from '../../components/messages.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import classes from './components.module.css'
import { ExampleList } from './example-list.tsx'
import { addWords } from '../../words/add-words.ts'
import componentsWords from '../../words/en/components.json'

addWords({ components: componentsWords })

const ExampleChart = lazy(() => import('./example-chart.tsx'))
const ExampleSteps = lazy(() => import('./example-step-chart.tsx'))
const TONES: readonly Tone[] = ['good', 'busy', 'warn', 'bad', 'off']
const HOUR_MS = 3_600_000

/** Every component of panel/components with its purpose, for developers who add pages. In English only, like the code. */
export function ComponentsPage() {
  const { t } = useTranslation('components')
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Words />
      <States />
      <Forms />
      <Section title="Filters" note="filters.tsx: chips whose values are in the page’s address.">
        <ExampleFilters />
      </Section>
      <Section
        title="List"
        note="list.tsx: 36 px rows, sorted by headings, 2,000 rows of which only those in sight are in the document. Arrows move, Enter opens. chosen.tsx: a column of boxes to choose rows."
        isFlush
      >
        <ExampleList />
      </Section>
      <Section title="Chart" note="chart.tsx: always loaded lazily, and always also a table.">
        <Suspense fallback={<Waiting />}>
          <ExampleChart />
        </Suspense>
      </Section>
      <Section
        title="StepChart"
        note="step-chart.tsx: a value that stays until it changes. Always loaded lazily, and beside a table with the same."
      >
        <Suspense fallback={<Waiting />}>
          <ExampleSteps />
        </Suspense>
      </Section>
      <Windows />
    </Page>
  )
}

function Words() {
  const [now] = useState(() => Date.now())
  return (
    <>
      <Section
        title="Page and section"
        note="page.tsx names the window and takes the focus; section.tsx is a part with a title, a note and actions."
        actions={<Button variant="default">Action</Button>}
      >
        <Facts
          facts={[
            ['When', <RelativeTime key="when" at={new Date(now - 3 * HOUR_MS).toISOString()} />],
            ['To come', <RelativeTime key="come" at={new Date(now + 26 * HOUR_MS).toISOString()} />],
            ['Key', <Kbd key="kbd">Ctrl K</Kbd>],
            [
              'Right to left',
              <span key="rtl" dir="auto">
                متجر الأدوات والمستلزمات المنزلية
              </span>,
            ],
            ['Long', 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'],
          ]}
        />
      </Section>
      <Section title="Code" note="code-block.tsx and copy.tsx: shown as text, whatever it holds.">
        <CodeBlock title="Request" code={'{"event":"price","store_id":7,"product_ids":[101,102]}'} wraps />
      </Section>
    </>
  )
}

function States() {
  return (
    <Section
      title="States"
      note="state-mark.tsx: words, and a mark whose shape differs as its colour does. Red only for what needs a person."
    >
      <div className={classes.row}>
        {TONES.map((tone) => (
          <StateMark key={tone} tone={tone}>
            {tone}
          </StateMark>
        ))}
      </div>
      <div className={classes.stack}>
        <ProblemNote
          error={
            new Problem(
              {
                code: 'conflict',
                status: 409,
                title: 'Conflict',
                detail: 'An account has at most 20 endpoints; delete one first.',
              },
              null,
            )
          }
          retry={() => showMessage('Tried again')}
        />
        <Conflict
          differences={[
            { name: 'Address', theirs: 'https://new.example/hook', mine: 'https://mine.example/hook' },
            { name: 'Store', theirs: 'All stores', mine: 'de' },
          ]}
          takeTheirs={() => Promise.resolve()}
          keepMine={() => Promise.resolve()}
        />
        <Empty action={<Button>Create endpoint</Button>}>
          One sentence on what would be here, and the button that brings it.
        </Empty>
        <Waiting lines={3} />
      </div>
    </Section>
  )
}

function Forms() {
  const form = useForm({
    initial: { url: 'ftp://shop.example', name: '', kind: 'a' },
    submit: () =>
      Promise.reject(
        new Problem(
          {
            code: 'invalid-input',
            status: 422,
            title: 'Invalid input',
            detail: 'The endpoint is not valid.',
            errors: [{ name: 'url', reason: 'must begin with http:// or https://' }],
          },
          null,
        ),
      ),
    done: () => undefined,
  })
  return (
    <Section title="Form" note="form.tsx: faults beside their fields; what was typed stays. Press the button.">
      <Form form={form} submit="Save" beside={<Button variant="default">Cancel</Button>}>
        <TextInput {...form.text('url')} label="Address" description="http or https." />
        <TextInput {...form.text('name')} label="Name" />
        <NativeSelect
          {...form.text('kind')}
          label="Kind"
          data={[
            { value: 'a', label: 'First' },
            { value: 'b', label: 'Second' },
          ]}
        />
        <Checkbox label="Checkbox" description="With a description." />
      </Form>
    </Section>
  )
}

function ExampleFilters() {
  const [values, setValues] = useState<Record<string, string | undefined>>({ state: 'failed' })
  const options = (names: readonly string[]) => names.map((value) => ({ value, label: value }))
  return (
    <Filters
      filters={[
        { name: 'state', label: 'State', value: values['state'], options: options(['delivered', 'failed']) },
        { name: 'event', label: 'Event', value: values['event'], options: options(['price', 'content', 'removed']) },
      ]}
      change={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
    />
  )
}

function Windows() {
  const [open, setOpen] = useState<'confirm' | 'once' | 'side' | null>(null)
  const close = () => setOpen(null)
  return (
    <Section
      title="Windows"
      note="dialog.tsx names what is taken and asks to type only what cannot be undone; shown-once.tsx; side-panel.tsx; messages.tsx."
    >
      <div className={classes.row}>
        <Button variant="default" onClick={() => setOpen('confirm')}>
          Confirm
        </Button>
        <Button variant="default" onClick={() => setOpen('once')}>
          Shown once
        </Button>
        <Button variant="default" onClick={() => setOpen('side')}>
          Side panel
        </Button>
        <Button variant="default" onClick={() => showMessage('Saved')}>
          Tell
        </Button>
      </div>
      {open === 'confirm' ? (
        <Confirm title="Delete store de" action="Delete store" typed="de" run={() => Promise.resolve()} close={close}>
          39,812 products leave its feed. This cannot be undone.
        </Confirm>
      ) : null}
      {open === 'once' ? (
        <ShownOnce title="Your new token" label="the token" secret="sw_example_not_a_token" close={close} />
      ) : null}
      {open === 'side' ? (
        <SidePanel title="One row of a list" close={close}>
          <p>Its address is the page’s; Escape closes it.</p>
        </SidePanel>
      ) : null}
    </Section>
  )
}
