import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../components/code-block.tsx'
import classes from './listen-command.module.css'
import './words.ts'

const EXAMPLE_URL = 'http://127.0.0.1:9000/hook'

/** Whether an endpoint is on the machine of the service, so that the command can be its receiver. */
export const isOnThisMachine = (url: string): boolean =>
  /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:[/?]|$)/.test(url)

/**
 * The command for a receiver that verifies and prints deliveries. The secret is not part of it, because shells keep
 * commands in their history.
 */
export function ListenCommand({ url }: { url: string }) {
  const { t } = useTranslation('webhooks')
  const own = isOnThisMachine(url)
  const at = own ? url : EXAMPLE_URL
  return (
    <div className={classes.listen}>
      <p>
        {own ? t('listen.own') : t('listen.other', { url: EXAMPLE_URL })}{' '}
        <a href="/docs/guides/webhooks" target="_blank" rel="noreferrer">
          {t('listen.elsewhere')}
        </a>
      </p>
      <CodeBlock title={t('listen.title')} code={`npx shelfwire listen --url ${at}`} />
    </div>
  )
}
