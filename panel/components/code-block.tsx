import classes from './code-block.module.css'
import { CopyButton } from './copy.tsx'

export interface CodeBlockProps {
  /** What it is, shown above and read out. */
  title: string
  code: string
  /** Long lines are broken instead of scrolled. */
  wraps?: boolean
}

/** Text for a machine, to be copied. It is shown as text, whatever it contains. */
export function CodeBlock({ title, code, wraps = false }: CodeBlockProps) {
  return (
    <div className={`${classes.block} ${wraps ? classes.wraps : ''}`}>
      <div className={classes.bar}>
        <span>{title}</span>
        <CopyButton text={code} of={title} variant="subtle" size="compact-xs" />
      </div>
      {/* a region that scrolls is reached by the keyboard */}
      <pre tabIndex={0} aria-label={title}>
        <code dir="ltr">{code}</code>
      </pre>
    </div>
  )
}
