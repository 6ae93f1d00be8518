import { useWords } from '../../app/i18n.ts'
import { PictureButton } from './picture-button.tsx'

/** The address of a picture that LINE shows. `copy`: the picture itself, or as wide as cards take it. */
export function PickForLine({ copy, onPick }: { copy: 'full' | 'line'; onPick: (url: string) => void }) {
  const t = useWords('media')
  return (
    <PictureButton
      label={t('picker.fromLibrary')}
      only="line"
      onPick={(media) => onPick(copy === 'full' ? media.url : media.line_url)}
    />
  )
}
