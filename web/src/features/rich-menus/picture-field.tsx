import { FileButton, Group, Input, Text } from '@mantine/core'
import { type PictureSize, pictureFault, picture as rules } from '@okaeri/contract/rich-menus/menu'
import { addRichMenuPicture, getRichMenuPicture } from '@okaeri/contract/rich-menus/routes'
import { IconPhoto } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { reasonTexts } from '../../app/reasons.ts'
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
  /** Of the first tab. */
  requiredSize: PictureSize | null
  error?: string | undefined
  disabled: boolean
  onPicture: (id: string, size: PictureSize) => void
}

/** What cannot be used as it is, is converted here if the person likes. */
export function PictureField({ picture, requiredSize, error, disabled, onPicture }: PictureFieldProps) {
  const t = useWords('richMenus')
  const language = useLanguage()
  const [busy, setBusy] = useState(false)

  const whyNot = (file: File, size: PictureSize): string | null => {
    if (file.type !== 'image/jpeg' && file.type !== 'image/png') return t('picture.otherFormat')
    const fault = pictureFault(size)
    if (fault === 'too_wide_or_narrow') return reasonTexts.picture_width[language]
    if (fault === 'too_low') return reasonTexts.picture_height[language]
    if (fault === 'too_tall') return reasonTexts.picture_aspect[language]
    if (file.size > rules.maxBytes) return reasonTexts.picture_too_large[language]
    const differs = requiredSize && (requiredSize.width !== size.width || requiredSize.height !== size.height)
    return differs ? t('picture.tabDiffers') : null
  }
  const usable = async (file: File): Promise<Blob | null> => {
    const bitmap = await createImageBitmap(file).catch(() => null)
    // What the browser cannot read cannot be converted by it.
    if (!bitmap) return toast.failed(new Error(t('picture.loadFailed'))) ?? null
    const reason = whyNot(file, bitmap)
    if (!reason) return file
    const sure = await confirm({
      title: t('picture.convertTitle'),
      body: t('picture.convertText', { reason }),
      confirmLabel: t('picture.convert'),
    })
    if (!sure) return null
    const blob = await converted(bitmap, fittingSize(bitmap, requiredSize))
    return blob ?? toast.failed(new Error(t('picture.convertFailed'))) ?? null
  }
  const take = async (file: File | null) => {
    if (!file) return
    setBusy(true)
    try {
      const blob = await usable(file)
      if (!blob) return
      const reply = await call(addRichMenuPicture, { body: { data: await base64Of(blob) } })
      onPicture(reply.picture.id, reply.picture)
    } catch (failure) {
      toast.failed(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Input.Wrapper label={t('picture.label')} description={t('picture.rules')} error={error}>
      <Group gap="sm" mt={6}>
        <FileButton onChange={(file) => void take(file)} accept="image/*" disabled={disabled}>
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
        <Text size="sm" c="dimmed">
          {picture ? t('picture.size', { width: picture.width, height: picture.height }) : t('picture.missing')}
        </Text>
      </Group>
    </Input.Wrapper>
  )
}
