import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../components/code-block.tsx'
import classes from './listen-command.module.css'
import './words.ts'

const EXAMPLE_URL = 'http://127.0.0.1:9000/hook'

/** Whether an endpoint is at the machine of the service, where the command can be its receiver. */
export const isOnThisMachine = (url: string): boolean =>
  /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:[/?]|$)/.test(url)

/** A receiver that verifies and prints what arrives; the secret is not part of the command, because shells keep those. */
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
