import { html } from '@codemirror/lang-html'
import { useComputedColorScheme } from '@mantine/core'
import ReactCodeMirror, { EditorState, EditorView, Prec } from '@uiw/react-codemirror'
import { type RefObject, useMemo } from 'react'
import { useWords } from '../../app/i18n.ts'

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
}

/** The dark theme's own ground is too light for its colours (WCAG AA). */
const darkGround = Prec.highest(
  EditorView.theme({ '&, .cm-gutters': { backgroundColor: '#14171a' }, '.cm-gutters': { color: '#949ea1' } }),
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

/** HTML with colours. Tab leaves the field, so that nobody is caught in it. */
export function CodeEditor({ label, value, onChange, handle, readOnly }: CodeEditorProps) {
  const scheme = useComputedColorScheme()
  const t = useWords('emails')
  const extensions = useMemo(
    () => [
      html(),
      EditorView.lineWrapping,
      EditorState.phrases.of(
        Object.fromEntries(Object.entries(phrases).map(([said, key]) => [said, t(`codeEditor.${key}`)])),
      ),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      ...(scheme === 'dark' ? [darkGround] : []),
    ],
    [label, scheme, t],
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
      }}
    />
  )
}
