import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import type { MouseEvent } from 'react'

/** A deep teal: white text on shade 7 and shade 4 on the dark ground both pass WCAG AA. */
const teal: MantineColorsTuple = [
  '#eaf7f7',
  '#d3ecec',
  '#a6d8d9',
  '#74c4c6',
  '#4cb3b6',
  '#2f9a9d',
  '#157f82',
  '#0b6264',
  '#0a5355',
  '#064042',
]

/** The second click of a double click on a button that opens a dialog lands beside the dialog: it must not close it again. */
const keepOpen = (event: MouseEvent): void => {
  if (event.detail > 1) event.stopPropagation()
}

/** System fonts for good Japanese text; no font is loaded. */
const FONTS =
  '"Hiragino Sans", "Hiragino Kaku Gothic ProN", "Noto Sans JP", "Noto Sans CJK JP", "Yu Gothic UI", "Yu Gothic", Meiryo, system-ui, sans-serif'

export const theme = createTheme({
  colors: { teal },
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 7 },
  fontFamily: FONTS,
  headings: {
    fontFamily: FONTS,
    fontWeight: '700',
    sizes: { h1: { fontSize: '26px' }, h2: { fontSize: '22px' }, h3: { fontSize: '18px' }, h4: { fontSize: '16px' } },
  },
  fontSizes: { md: '15px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Anchor: { defaultProps: { inherit: true } },
    // It is a focusable element without a role, which a menu must not contain; without it the first entry takes the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Paper: { defaultProps: { radius: 'md' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 150 } },
    Modal: { defaultProps: { overlayProps: { onClickCapture: keepOpen } } },
    Select: { defaultProps: { allowDeselect: false, checkIconPosition: 'right' } },
  },
})

/** Our four background and border colors, and replacements for Mantine's values that miss the contrast of WCAG AA. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--line': '#dfe5e6',
    '--card': '#ffffff',
    '--soft': '#eef3f3',
    '--ground': '#f6f8f8',
    '--mantine-color-dimmed': '#566064',
    '--mantine-color-placeholder': '#6b757a',
    '--mantine-color-disabled-color': '#76818a',
    '--mantine-color-error': '#b42323',
    '--mantine-color-red-filled': '#b42323',
    '--mantine-color-red-filled-hover': '#9b1c1c',
    '--mantine-color-default-border': '#cdd5d7',
  },
  dark: {
    '--line': '#3a4042',
    '--card': '#1f2325',
    '--soft': '#262c2e',
    '--ground': '#17191b',
    '--mantine-color-body': '#1f2325',
    '--mantine-color-dimmed': '#a9b3b6',
    '--mantine-color-placeholder': '#949ea1',
    '--mantine-color-disabled-color': '#8f999d',
    '--mantine-color-error': '#ff9a9a',
    '--mantine-color-red-filled': '#b42323',
    '--mantine-color-red-filled-hover': '#9b1c1c',
    '--mantine-color-anchor': '#74c4c6',
    '--mantine-color-default': '#272c2e',
    '--mantine-color-default-hover': '#30373a',
    '--mantine-color-default-border': '#4a5356',
  },
})
