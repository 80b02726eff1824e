/** Pixels of a picture for each pixel of the chart, so that it is sharp in a document. */
const SCALE = 2;

/** Returns the chart as an SVG file. */
export const chartAsSvg = (svg: SVGSVGElement): Blob =>
  new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' });

/**
 * Returns the chart as a PNG file.
 * @throws Error if the browser cannot draw the chart
 */
export async function chartAsPng(svg: SVGSVGElement): Promise<Blob> {
  const url = URL.createObjectURL(chartAsSvg(svg));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = svg.clientWidth * SCALE;
    canvas.height = svg.clientHeight * SCALE;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob === null ? reject(new Error('The browser made no picture.')) : resolve(blob)),
        'image/png',
      );
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
