import { Input } from '@mantine/core'
import { Link, RichTextEditor } from '@mantine/tiptap'
import { useEditor } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { useEffect, useId, useRef } from 'react'
import '@mantine/tiptap/styles.css'
import { useWords } from '../../../app/i18n.ts'
import { TagMenu } from '../editor/tag-menu.tsx'

/** A tag may stand where an address does; what would run is not taken, here or by the server. */
const runs = (address: string): boolean => /^\s*(?:javascript|data|vbscript):/i.test(address)

interface RichTextProps {
  label: string
  html: string
  onChange: (html: string) => void
  readOnly: boolean
}

/** Text with what a mail's text may have: paragraphs, lists, bold, italic, underlined, links, tags. */
export function RichText({ label, html, onChange, readOnly }: RichTextProps) {
  const t = useWords('design')
  const id = useId()
  const change = useRef(onChange)
  change.current = onChange
  const editor = useEditor({
    extensions: [
      StarterKit.configure({
        heading: false,
        blockquote: false,
        code: false,
        codeBlock: false,
        horizontalRule: false,
        strike: false,
        link: false,
      }),
      Link.configure({ openOnClick: false, isAllowedUri: (address) => !runs(address), HTMLAttributes: { rel: null } }),
    ],
    content: html,
    editable: !readOnly,
    editorProps: { attributes: { 'aria-labelledby': id, role: 'textbox', 'aria-multiline': 'true' } },
    onUpdate: ({ editor }) => change.current(editor.getHTML()),
  })
  // Undone, or saved by another member.
  useEffect(() => {
    if (editor && html !== editor.getHTML()) editor.commands.setContent(html, { emitUpdate: false })
  }, [editor, html])
  return (
    <div>
      <Input.Label id={id}>{label}</Input.Label>
      <RichTextEditor
        editor={editor}
        labels={{
          boldControlLabel: t('rich.bold'),
          italicControlLabel: t('rich.italic'),
          underlineControlLabel: t('rich.underline'),
          bulletListControlLabel: t('rich.bulletList'),
          orderedListControlLabel: t('rich.orderedList'),
          linkControlLabel: t('rich.link'),
          unlinkControlLabel: t('rich.unlink'),
          linkEditorInputLabel: t('field.link'),
          linkEditorInputPlaceholder: 'https://',
          linkEditorSave: t('rich.saveLink'),
          linkEditorExternalLink: t('rich.openInNewTab'),
          linkEditorInternalLink: t('rich.sameTab'),
        }}
      >
        {!readOnly && (
          <RichTextEditor.Toolbar>
            <RichTextEditor.ControlsGroup>
              <RichTextEditor.Bold />
              <RichTextEditor.Italic />
              <RichTextEditor.Underline />
            </RichTextEditor.ControlsGroup>
            <RichTextEditor.ControlsGroup>
              <RichTextEditor.BulletList />
              <RichTextEditor.OrderedList />
            </RichTextEditor.ControlsGroup>
            <RichTextEditor.ControlsGroup>
              <RichTextEditor.Link />
              <RichTextEditor.Unlink />
            </RichTextEditor.ControlsGroup>
            <TagMenu
              insert={(tag) => editor?.chain().focus().insertContent({ type: 'text', text: tag }).run()}
              without={['line', 'components']}
            />
          </RichTextEditor.Toolbar>
        )}
        <RichTextEditor.Content />
      </RichTextEditor>
    </div>
  )
}
