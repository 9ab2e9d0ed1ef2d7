import sharp from 'sharp'

// No other loader can be reached, whatever the first bytes of a file say: neither SVG nor PDF, GIF or TIFF.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`) })
sharp.concurrency(1)
// No image is seen twice, so none is worth remembering.
sharp.cache(false)

export { sharp }
