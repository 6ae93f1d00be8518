import { html } from '@codemirror/lang-html'
import type { CompletionSource } from '@codemirror/autocomplete'
import { json, jsonLanguage } from '@codemirror/lang-json'
import { useComputedColorScheme } from '@mantine/core'
import ReactCodeMirror, { EditorState, EditorView, Prec } from '@uiw/react-codemirror'
import { type RefObject, useMemo } from 'react'
import { useWords } from '../../../app/i18n.ts'

/** What a page can do to the text besides changing its value. */
export interface CodeEditorHandle {
  /** In place of the selection, or at the cursor. */
  insert: (text: string) => void
  /** Puts the cursor at the beginning of this line, from 1, and shows it. */
  goToLine: (line: number) => void
}

interface CodeEditorProps {
  label: string
  value: string
  onChange: (value: string) => void
  handle: RefObject<CodeEditorHandle | null>
  readOnly: boolean
  /** Shown first, from 1. */
  startAt?: number | undefined
  language?: 'html' | 'json'
  /** What may stand at the cursor, in JSON. */
  complete?: CompletionSource
}

/** The dark theme's own ground is too light for its colours (WCAG AA). */
const darkGround = Prec.highest(
  EditorView.theme({ '&, .cm-gutters': { backgroundColor: '#14171a' }, '.cm-gutters': { color: '#949ea1' } }),
)
/** The search's fields and buttons as those of the page. */
const panels = Prec.highest(
  EditorView.theme({
    '.cm-panels': { backgroundColor: 'var(--card)', color: 'var(--mantine-color-text)' },
    '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
    '.cm-panel.cm-search': {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: '6px',
      padding: '8px 36px 8px 10px',
    },
    '.cm-panel.cm-search br': { flexBasis: '100%', content: '""' },
    '.cm-panel.cm-search label': {
      display: 'inline-flex',
      alignItems: 'center',
      gap: '4px',
      margin: '0',
      fontSize: '12px',
    },
    '.cm-panel .cm-textfield, .cm-panel .cm-button': {
      margin: '0',
      height: '28px',
      padding: '0 10px',
      fontSize: '12px',
      color: 'inherit',
      backgroundColor: 'var(--card)',
      backgroundImage: 'none',
      border: '1px solid var(--line)',
      borderRadius: '4px',
    },
    '.cm-panel .cm-textfield': { flex: '0 1 180px', minWidth: '120px' },
    '.cm-panel .cm-button:hover': { backgroundColor: 'var(--soft)' },
    '.cm-panel .cm-button:active': { backgroundImage: 'none' },
    '.cm-panel.cm-search [name=close]': {
      top: '6px',
      right: '8px',
      width: '28px',
      height: '28px',
      fontSize: '18px',
      color: 'inherit',
      cursor: 'pointer',
    },
  }),
)
/** What may stand at the cursor, as the menus of the page. */
const choices = Prec.highest(
  EditorView.theme({
    '.cm-tooltip.cm-tooltip-autocomplete': {
      backgroundColor: 'var(--card)',
      color: 'var(--mantine-color-text)',
      border: '1px solid var(--line)',
      borderRadius: '6px',
      overflow: 'hidden',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', color: 'inherit' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'var(--mantine-primary-color-filled)',
      color: '#fff',
    },
    '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.8' },
  }),
)
/** Under the line's tint the colours of tags would miss the contrast of WCAG AA. */
const SETUP = { highlightActiveLine: false, highlightActiveLineGutter: false }

/** What CodeMirror calls its own words, and what they are here. */
const phrases = {
  Find: 'find',
  Replace: 'replaceWith',
  next: 'next',
  previous: 'previous',
  all: 'all',
  'match case': 'matchCase',
  regexp: 'regexp',
  'by word': 'byWord',
  replace: 'replace',
  'replace all': 'replaceAll',
  close: 'close',
  'current match': 'currentMatch',
  'on line': 'onLine',
  'replaced match on line $': 'replacedOnLine',
  'replaced $ matches': 'replacedMatches',
  'Go to line': 'goToLine',
  go: 'go',
  'Control character': 'controlCharacter',
  'Fold line': 'foldLine',
  'Unfold line': 'unfoldLine',
  'Folded lines': 'foldedLines',
  'Unfolded lines': 'unfoldedLines',
  'folded code': 'foldedCode',
  unfold: 'unfold',
  to: 'to',
  Completions: 'completions',
} as const

/** HTML or JSON with colors. Tab leaves the field, so that keyboard users are not trapped in it. */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, onChange, handle, readOnly, startAt, language = 'html', complete } = props
  const scheme = useComputedColorScheme()
  const t = useWords('emails')
  const extensions = useMemo(
    () => [
      language === 'json' ? json() : html(),
      ...(complete ? [jsonLanguage.data.of({ autocomplete: complete })] : []),
      EditorView.lineWrapping,
      panels,
      choices,
      EditorState.phrases.of(
        Object.fromEntries(Object.entries(phrases).map(([said, key]) => [said, t(`codeEditor.${key}`)])),
      ),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      ...(scheme === 'dark' ? [darkGround] : []),
    ],
    [label, language, complete, scheme, t],
  )
  return (
    <ReactCodeMirror
      value={value}
      onChange={onChange}
      extensions={extensions}
      theme={scheme}
      basicSetup={SETUP}
      height="100%"
      style={{ height: '100%', fontSize: 13 }}
      indentWithTab={false}
      readOnly={readOnly}
      onCreateEditor={(view) => {
        handle.current = {
          insert: (text) => {
            view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true })
            view.focus()
          },
          goToLine: (line) => {
            // The findings may be of a text that has grown shorter since.
            const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines))
            view.focus()
            view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
          },
        }
        if (startAt !== undefined) handle.current.goToLine(startAt)
      }}
    />
  )
}
