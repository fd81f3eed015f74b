import { Sign } from '../components/sign.tsx'
import classes from './shell.module.css'

/** The sign and the name. */
export function Brand() {
  return (
    <span className={classes.brand}>
      <Sign size={20} />
      Shelfwire
    </span>
  )
}
