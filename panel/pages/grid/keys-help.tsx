import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { Kbd } from '../../components/kbd.tsx'
import classes from './grid.module.css'

const KEYS = [
  ['arrows', ['←', '↑', '→', '↓']],
  ['edit', ['Enter', 'F2']],
  ['cancel', ['Esc']],
  ['reset', ['Del']],
  ['copy', ['Ctrl+C', 'Ctrl+V']],
  ['fill', ['Ctrl+D']],
  ['undo', ['Ctrl+Z', 'Ctrl+Y']],
  ['save', ['Ctrl+S']],
] as const

export function KeysHelp({ close }: { close: () => void }) {
  const { t } = useTranslation('grid')
  return (
    <Dialog title={t('keys.title')} close={close}>
      <dl className={classes.keys}>
        {KEYS.map(([name, keys]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{t(`keys.${name}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
