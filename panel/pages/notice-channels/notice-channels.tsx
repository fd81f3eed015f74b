import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NoticeKindsAbout } from '../../../contract/notice-kinds.ts'
import { NOTICE_CHANNEL_KINDS, type NoticeChannelKind } from '../../../contract/notice-channel-kinds.ts'
import { testNoticeChannel, type FieldsOf, type Resource } from '../../api/resources.ts'
import { Facts } from '../../components/facts.tsx'
import type { Column } from '../../components/list.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { StateMark, type Tone } from '../../components/state-mark.tsx'
import { Due, RelativeTime } from '../../components/relative-time.tsx'
import { nameColumn, plainColumn } from '../../resources/columns.tsx'
import type { ResourceSpec } from '../../resources/field.ts'
import { choice, flag, multipleChoice, text } from '../../resources/inputs.tsx'
import { ResourcePage } from '../../resources/resource-page.tsx'
import { useResourceWords } from '../../resources/words.ts'
import '../../webhooks/words.ts'
import { useAccount } from '../../session/account.ts'
import { BelowForm } from '../../resources/below-form.tsx'

type NoticeChannel = Resource<'notice-channels'>
type NoticeKind = NonNullable<FieldsOf<'notice-channels'>['notice_kinds']>[number]

/** The kinds whose words say only what happened: the endpoint has to be added to them. */
const OF_ENDPOINTS = { failing: true, paused: true, recovered: true } satisfies Record<
  NoticeKindsAbout<'endpoint'>,
  true
>

const KINDS = (Object.keys(NOTICE_CHANNEL_KINDS) as NoticeChannelKind[]).map((kind) => ({
  value: kind,
  label: NOTICE_CHANNEL_KINDS[kind].title,
}))

/** Where notices to owners are sent besides e-mail. */
export function NoticeChannelsPage() {
  const { t } = useTranslation('webhooks')
  const words = useResourceWords('notice-channels')
  const [secret, setSecret] = useState<string | null>(null)
  const names = t('notices.kinds', { returnObjects: true })
  const labelOf = (kind: NoticeKind) =>
    kind in OF_ENDPOINTS ? t('notices.ofEndpoint', { kind: names[kind] }) : names[kind]
  const spec: ResourceSpec<'notice-channels'> = {
    name: 'notice-channels',
    key: 'id',
    required: ['name', 'kind', 'url'],
    fixed: ['kind'],
    fields: {
      name: text({ placeholder: 'Team' }),
      kind: choice<NoticeChannelKind>(KINDS),
      url: text({ isCode: true }),
      notice_kinds: multipleChoice(
        (Object.keys(names) as NoticeKind[]).map((kind) => ({ value: kind, label: labelOf(kind) })),
      ),
      is_paused: flag(),
    },
    more: ['notice_kinds', 'is_paused'],
    placeholders: { url: ({ kind }) => NOTICE_CHANNEL_KINDS[kind as NoticeChannelKind].placeholder },
    initial: { name: '', kind: 'slack', url: '', notice_kinds: null, is_paused: false },
    titleOf: (channel) => channel.name,
  }
  const columns: Column<NoticeChannel>[] = [
    nameColumn('name', words.label('name'), (channel) => channel.name),
    plainColumn('kind', words.label('kind'), '24%', (channel) => NOTICE_CHANNEL_KINDS[channel.kind].title),
    {
      id: 'state',
      title: words.of('state'),
      width: '20%',
      isWide: true,
      sortBy: (channel) => stateOf(channel)[1],
      cell: (channel) => <State channel={channel} />,
    },
    {
      id: 'sent',
      title: words.of('lastSent'),
      width: '18%',
      isWide: true,
      sortBy: (channel) => channel.status.last_sent_at ?? '',
      cell: (channel) => <RelativeTime at={channel.status.last_sent_at} />,
    },
  ]
  return (
    <>
      <ResourcePage
        spec={spec}
        columns={columns}
        phoneLine={(channel) => <State channel={channel} />}
        aside={(channel) => <Deliveries key={channel.id} channel={channel} />}
        made={(channel) => setSecret((channel as NoticeChannel & { secret?: string }).secret ?? null)}
      />
      {secret === null ? null : (
        <ShownOnce
          title={words.of('secretTitle')}
          label={words.of('secretLabel')}
          secret={secret}
          close={() => setSecret(null)}
        >
          <p>{words.of('secretText')}</p>
        </ShownOnce>
      )}
    </>
  )
}

function stateOf({ is_paused: isPaused, status }: NoticeChannel): [Tone, string] {
  if (isPaused) return ['off', 'paused']
  if (status.failure !== null) return ['bad', 'failing']
  if (status.waiting > 0) return ['busy', 'waiting']
  return status.last_sent_at === null ? ['off', 'unused'] : ['good', 'works']
}

function State({ channel }: { channel: NoticeChannel }) {
  const words = useResourceWords('notice-channels')
  const [tone, word] = stateOf(channel)
  return <StateMark tone={tone}>{words.of(word)}</StateMark>
}

/** The deliveries of a channel's notices, and a button to test it. */
function Deliveries({ channel }: { channel: NoticeChannel }) {
  const words = useResourceWords('notice-channels')
  const account = useAccount()
  const [isTrying, setTrying] = useState(false)
  const [answer, setAnswer] = useState<Awaited<ReturnType<typeof testNoticeChannel>> | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const { status } = channel
  const run = async () => {
    setTrying(true)
    setAnswer(null)
    setProblem(null)
    try {
      setAnswer(await testNoticeChannel(account.id, channel.id))
    } catch (error) {
      setProblem(error)
    } finally {
      setTrying(false)
    }
  }
  return (
    <BelowForm>
      <Facts
        facts={[
          [words.of('state'), <State key="state" channel={channel} />],
          [words.of('lastSent'), <RelativeTime key="sent" at={status.last_sent_at} />],
          ...(status.next_attempt_at === null
            ? []
            : [
                [words.of('waits'), String(status.waiting)] as const,
                [words.of('next'), <Due key="next" at={status.next_attempt_at} />] as const,
              ]),
          ...(status.failure === null
            ? []
            : [
                [
                  words.of('failure'),
                  <span key="failure" dir="auto">
                    <RelativeTime at={status.failed_at} />: {status.failure}
                  </span>,
                ] as const,
              ]),
        ]}
      />
      <Button variant="default" loading={isTrying} onClick={() => void run()}>
        {words.of('test')}
      </Button>
      <div role="status">
        {answer === null ? null : (
          <>
            <StateMark tone={answer.is_ok ? 'good' : 'bad'}>
              {words.of(answer.is_ok ? 'accepted' : 'refused')}
            </StateMark>
            <p dir="auto">
              {answer.status === null ? null : `${words.of('status')} ${answer.status}. `}
              {answer.status === null ? answer.detail : `${words.of('answer')}: ${answer.detail}`}
            </p>
          </>
        )}
      </div>
      <ProblemNote error={problem} />
    </BelowForm>
  )
}
