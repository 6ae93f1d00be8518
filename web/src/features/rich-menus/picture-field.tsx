import { FileButton, Group, Input, Text } from '@mantine/core'
import { type PictureSize, pictureFault, picture as rules } from '@okaeri/contract/rich-menus/menu'
import { type PictureFacts, pictureFacts } from '@okaeri/contract/media/picture-facts'
import { addRichMenuPicture, getRichMenuPicture } from '@okaeri/contract/rich-menus/routes'
import { IconPhoto } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { errorText, reasonTexts } from '../../app/reasons.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { base64Of, converted, fittingSize } from './picture-conversion.ts'

export interface ShownPicture extends PictureSize {
  url: string
}

/** Stored pictures never change. */
export function useMenuPicture(id: string | null): ShownPicture | null {
  const query = useQuery({
    ...queryOf(getRichMenuPicture, { params: { id: id ?? '' } }),
    enabled: id !== null,
    refetchInterval: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const picture = id !== null && query.data?.picture
  if (!picture) return null
  return { width: picture.width, height: picture.height, url: `data:${picture.type};base64,${picture.data}` }
}

interface PictureFieldProps {
  picture: ShownPicture | null
  /** For the first tab. */
  requiredSize: PictureSize | null
  error?: string | undefined
  disabled: boolean
  onPicture: (id: string, size: PictureSize) => void
}

/** Unpacked, each pixel takes four bytes; phones make up to 108 million. */
const MAX_PIXELS = 120_000_000
/** A larger file is not read at all. */
const MAX_FILE_BYTES = 25 * 1024 * 1024

const flawReasons = { animated: 'picture_animated', cmyk: 'picture_cmyk', rotated: 'picture_rotated' } as const
const faultReasons = {
  too_wide_or_narrow: 'picture_width',
  too_low: 'picture_height',
  too_tall: 'picture_aspect',
} as const

/** What cannot be used as it is, is converted here if the person likes. */
export function PictureField({ picture, requiredSize, error, disabled, onPicture }: PictureFieldProps) {
  const t = useWords('richMenus')
  const language = useLanguage()
  const [busy, setBusy] = useState(false)
  /** Why the file chosen last was not taken; a toast is gone in seconds. */
  const [problem, setProblem] = useState<string | null>(null)

  const refuse = (why: string): null => {
    setProblem(why)
    toast.error(why)
    return null
  }
  const whyNot = (file: File, facts: PictureFacts | null): string | null => {
    if (!facts) return t('picture.otherFormat')
    if (facts.flaw) return reasonTexts[flawReasons[facts.flaw]][language]
    const fault = pictureFault(facts)
    if (fault) return reasonTexts[faultReasons[fault]][language]
    if (file.size > rules.maxBytes) return reasonTexts.picture_too_large[language]
    const differs = requiredSize && (requiredSize.width !== facts.width || requiredSize.height !== facts.height)
    return differs ? t('picture.tabDiffers') : null
  }
  const usable = async (file: File): Promise<Blob | null> => {
    if (file.size > MAX_FILE_BYTES) return refuse(t('picture.fileTooLarge'))
    // It may be on a disk that is gone.
    const bytes = await file.arrayBuffer().catch(() => null)
    if (!bytes) return refuse(t('picture.loadFailed'))
    const facts = pictureFacts(new Uint8Array(bytes))
    if (facts?.endsAt === null) return refuse(reasonTexts.picture_unreadable[language])
    if (facts && facts.width * facts.height > MAX_PIXELS) return refuse(t('picture.tooManyPixels'))
    // What the browser cannot read cannot be converted by it, nor shown.
    const bitmap = await createImageBitmap(file).catch(() => null)
    if (!bitmap) return refuse(t('picture.loadFailed'))
    try {
      const reason = whyNot(file, facts)
      if (!reason) return file
      const sure = await confirm({
        title: t('picture.convertTitle'),
        body: t('picture.convertText', { reason }),
        confirmLabel: t('picture.convert'),
      })
      if (!sure) return null
      return (await converted(bitmap, fittingSize(bitmap, requiredSize))) ?? refuse(t('picture.convertFailed'))
    } finally {
      bitmap.close()
    }
  }
  const take = async (file: File | null) => {
    if (!file) return
    setBusy(true)
    setProblem(null)
    try {
      const blob = await usable(file)
      if (!blob) return
      const reply = await call(addRichMenuPicture, { body: { data: await base64Of(blob) } })
      onPicture(reply.picture.id, reply.picture)
    } catch (failure) {
      setProblem(errorText(failure, language))
      toast.failed(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Input.Wrapper label={t('picture.label')} description={t('picture.rules')} error={problem ?? error}>
      <Group gap="sm" mt={6}>
        {!disabled && (
          <FileButton onChange={(file) => void take(file)} accept="image/*">
            {({ onClick }) => (
              <ActionButton
                action={{
                  label: t(picture ? 'picture.replace' : 'picture.choose'),
                  icon: <IconPhoto size={18} />,
                  busy,
                  onClick,
                }}
              />
            )}
          </FileButton>
        )}
        <Text size="sm" c="dimmed">
          {picture ? t('picture.size', { width: picture.width, height: picture.height }) : t('picture.missing')}
        </Text>
      </Group>
    </Input.Wrapper>
  )
}
