import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

// The theme of Mantine's components. Colours are the variables of tokens.css; this file says where they are used.

const FONT = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
const MONOSPACE = "ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

/** Only shade 6 (and 8 in the dark scheme) is used, for filled controls. */
const accent: MantineColorsTuple = [
  '#eef0fd',
  '#dcdffa',
  '#b7bdf3',
  '#8f98ec',
  '#6e79e6',
  '#4d59d8',
  '#3a46c9',
  '#2e38a8',
  '#5b67e6',
  '#20287c',
]

/** Greys of the dark scheme, light to dark; 6 is the background of inputs. */
const dark: MantineColorsTuple = [
  '#e6e6ee',
  '#c3c5d2',
  '#a0a2b2',
  '#737687',
  '#3d404d',
  '#2a2c36',
  '#15161b',
  '#191b21',
  '#121318',
  '#0d0e12',
]

export const theme = createTheme({
  fontFamily: FONT,
  fontFamilyMonospace: MONOSPACE,
  headings: { fontFamily: FONT, fontWeight: '620' },
  colors: { accent, dark },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 8 },
  defaultRadius: 6,
  cursorType: 'pointer',
  focusRing: 'auto',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '14px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.43', md: '1.43' },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.45 }, transitionProps: { duration: 120 } },
    },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false, multiline: true, maw: 320 } },
    Menu: { defaultProps: { transitionProps: { duration: 80 }, shadow: 'md' } },
  },
})

/** Maps Mantine's colour variables to ours, which tokens.css sets for each scheme. */
const COLORS = {
  '--mantine-color-body': 'var(--sw-surface)',
  '--mantine-color-text': 'var(--sw-text)',
  '--mantine-color-bright': 'var(--sw-text)',
  '--mantine-color-dimmed': 'var(--sw-muted)',
  '--mantine-color-placeholder': 'var(--sw-muted)',
  '--mantine-color-anchor': 'var(--sw-accent-text)',
  '--mantine-color-default': 'var(--sw-surface)',
  '--mantine-color-default-hover': 'var(--sw-hover)',
  '--mantine-color-default-color': 'var(--sw-text)',
  '--mantine-color-default-border': 'var(--sw-line-strong)',
  '--mantine-color-error': 'var(--sw-bad)',
  '--mantine-color-disabled': 'var(--sw-sunken)',
  '--mantine-color-disabled-color': 'var(--sw-muted)',
  '--mantine-color-disabled-border': 'var(--sw-line)',
  '--mantine-color-gray-light-color': 'var(--sw-muted)',
  '--mantine-color-gray-light-hover': 'var(--sw-hover)',
  '--mantine-primary-color-filled': 'var(--sw-accent)',
  '--mantine-primary-color-filled-hover': 'var(--sw-accent-hover)',
  '--mantine-primary-color-light-color': 'var(--sw-accent-text)',
  '--mantine-color-accent-filled': 'var(--sw-accent)',
  '--mantine-color-accent-filled-hover': 'var(--sw-accent-hover)',
  '--mantine-color-accent-light-color': 'var(--sw-accent-text)',
  '--mantine-color-accent-light-hover': 'var(--sw-hover)',
  '--mantine-color-red-light-color': 'var(--sw-bad)',
  '--mantine-color-red-light-hover': 'var(--sw-bad-surface)',
} as const

export const variables: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-shadow-md': 'var(--sw-shadow)',
    '--mantine-shadow-lg': 'var(--sw-shadow)',
    '--mantine-shadow-xl': 'var(--sw-shadow)',
    '--button-height-sm': '32px',
    '--input-height-sm': '34px',
  },
  light: COLORS,
  dark: COLORS,
})

/** The page's nonce for style elements that are created at run time; the service puts one into each page. */
export function styleNonce(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')
  // browsers hide the attribute, but not the property
  return meta?.nonce ?? ''
}
