import { useWords } from '../../app/i18n.ts'
import { imageTag } from './image-tag.ts'
import { PictureButton } from './picture-button.tsx'

/** Puts a picture into the code of an email, at the cursor. */
export function InsertPicture({ insert }: { insert: (html: string) => void }) {
  const t = useWords('media')
  return <PictureButton label={t('picker.insert')} onPick={(media) => insert(imageTag(media))} />
}
