import classes from './code-block.module.css'
import { Button, type ButtonProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckIcon, CopyIcon } from '../design/icons.tsx'

interface CodeBlockProps {
  /** The name of the code, shown above it and read out. */
  title: string
  code: string
  /** Long lines are wrapped instead of scrolled. */
  wraps?: boolean
}

/** Code to be copied. It is rendered as text, whatever it contains. */
export function CodeBlock({ title, code, wraps = false }: CodeBlockProps) {
  return (
    <div className={`${classes.block} ${wraps ? classes.wraps : ''}`}>
      <div className={classes.bar}>
        <span>{title}</span>
        <CopyButton text={code} of={title} variant="subtle" size="compact-xs" />
      </div>
      {/* a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} aria-label={title}>
        <code dir="ltr">{code}</code>
      </pre>
    </div>
  )
}

const SHOWN_MS = 1_600

/** A button that copies a text and confirms it. `of` names the text for screen readers. */
export function CopyButton({ text, of, ...button }: { text: string; of: string } & ButtonProps) {
  const { t } = useTranslation()
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    )
  }
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={state === 'copied' ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
      {...button}
      onClick={copy}
      aria-label={t('copy.of', { of })}
    >
      <span aria-live="polite">
        {state === 'copied' ? t('copy.copied') : state === 'failed' ? t('copy.failed') : t('copy.copy')}
      </span>
    </Button>
  )
}
