//! Curves as a picture: SVG without scripts, the same bytes for the same points.

#![expect(clippy::float_arithmetic, reason = "coordinates of a picture, not values")]

mod axis;

use std::fmt::Write;

use axis::Axis;

/// Curves over common axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What stands above.
    pub title: String,
    /// What stands below.
    pub x_label: String,
    /// What stands on the left.
    pub y_label: String,
    /// Whether the x-axis is logarithmic.
    pub log_x: bool,
    /// Whether the y-axis is logarithmic.
    pub log_y: bool,
    /// The curves, in the order of the legend.
    pub curves: Vec<Curve>,
}

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Its points, in the order in which they are joined. One that has no place on the axes, such
    /// as 0 on a logarithmic one, is left out.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub style: Style,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Markers, joined by a thin line.
    Points,
    /// A line.
    Line,
    /// A dashed line.
    Dashed,
}

/// The colours of Okabe and Ito, which the colour-blind can tell apart too, those with most
/// contrast first.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Where the axes are, in pixels.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

/// Pixels between things.
const GAP: f64 = 8.0;
/// About the width of a character.
const CHARACTER: f64 = 7.2;
/// The height of a line in the legend.
const LINE: f64 = 22.0;
/// The length of the sample of a curve in the legend.
const SAMPLE: f64 = 28.0;

impl Plot {
    /// The picture as a file.
    pub fn to_svg(&self) -> String {
        let along = |coordinate: fn(&(f64, f64)) -> f64, log| {
            let points = self.curves.iter().flat_map(|curve| &curve.points);
            Axis::new(points.map(coordinate), log)
        };
        let (x, y) = (along(|point| point.0, self.log_x), along(|point| point.1, self.log_y));
        let widest = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|text| text.chars().count()).max().unwrap_or(0) as f64 * CHARACTER
        };
        let left = 40.0 + widest(&mut y.ticks.iter().map(|tick| &tick.label));
        // Beside the data, the legend can cover none of them.
        let legend = SAMPLE + 4.0 * GAP + widest(&mut self.curves.iter().map(|curve| &curve.name));
        let height = 340_f64.max(LINE * self.curves.len() as f64);
        let frame = Frame { left, top: 44.0, width: 520.0, height };
        let (width, height) = (frame.left + frame.width + legend, frame.top + frame.height + 60.0);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
                viewBox=\"0 0 \
             {width:.0} {height:.0}\" role=\"img\" font-family=\"Helvetica, Arial, sans-serif\" \
             font-size=\"13\" \
             fill=\"#222\">\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" \
             fill=\"#fff\"/>\n",
            escaped(&self.title)
        );
        self.frame(&mut svg, &frame, (&x, &y));
        for (index, curve) in self.curves.iter().enumerate() {
            let place = |point: &(f64, f64)| Some((x.place(point.0)?, y.place(point.1)?));
            let points: Vec<_> =
                curve.points.iter().filter_map(place).map(|at| frame.pixels(at)).collect();
            draw(&mut svg, &points, index, curve.style);
            let (start, level) = (frame.left + frame.width + 2.0 * GAP, frame.top + LINE / 2.0);
            let level = level + LINE * index as f64;
            let middle = (start + SAMPLE / 2.0, level);
            let sample = [(start, level), middle, (start + SAMPLE, level)];
            draw(
                &mut svg,
                if curve.style == Style::Points { &sample[1..2] } else { &sample },
                index,
                curve.style,
            );
            text(&mut svg, (start + SAMPLE + GAP, level + 4.5), "", &curve.name);
        }
        svg + "</svg>\n"
    }

    /// Grid, ticks and texts.
    fn frame(&self, svg: &mut String, frame: &Frame, (x, y): (&Axis, &Axis)) {
        let (right, bottom) = (frame.left + frame.width, frame.top + frame.height);
        for tick in &x.ticks {
            let (at, _) = frame.pixels((tick.place, 0.0));
            line(svg, (at, frame.top), (at, bottom + 5.0), "#ddd");
            text(svg, (at, bottom + 20.0), " text-anchor=\"middle\"", &tick.label);
        }
        for tick in &y.ticks {
            let (_, at) = frame.pixels((0.0, tick.place));
            line(svg, (frame.left - 5.0, at), (right, at), "#ddd");
            text(svg, (frame.left - GAP, at + 4.5), " text-anchor=\"end\"", &tick.label);
        }
        line(svg, (frame.left, frame.top), (frame.left, bottom), "#222");
        line(svg, (frame.left, bottom), (right, bottom), "#222");
        let title = " font-size=\"16\" font-weight=\"bold\"";
        text(svg, (frame.left, frame.top - 18.0), title, &self.title);
        let middle = frame.left + frame.width / 2.0;
        text(svg, (middle, bottom + 44.0), " text-anchor=\"middle\"", &self.x_label);
        let (at, level) = (18.0, frame.top + frame.height / 2.0);
        let turned =
            format!(" text-anchor=\"middle\" transform=\"rotate(-90 {at:.2} {level:.2})\"");
        text(svg, (at, level), &turned, &self.y_label);
    }
}

impl Frame {
    /// Where a point is that is so far along the axes.
    fn pixels(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.left + self.width * x, self.top + self.height * (1.0 - y))
    }
}

/// A curve through these pixels.
fn draw(svg: &mut String, points: &[(f64, f64)], index: usize, style: Style) {
    let colour = COLOURS[index % COLOURS.len()];
    let (width, dashes) = match style {
        Style::Points => ("1", ""),
        Style::Line => ("2", ""),
        Style::Dashed => ("2", " stroke-dasharray=\"7 5\""),
    };
    if points.len() > 1 {
        let through: Vec<_> = points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes} \
                stroke-linejoin=\"round\" points=\"{}\"/>",
            through.join(" ")
        );
    }
    // A single point of a line would otherwise not be seen.
    if style == Style::Points || points.len() == 1 {
        points.iter().for_each(|&at| marker(svg, at, index, colour));
    }
}

/// A circle, a square or a diamond, so that not only the colour tells.
fn marker(svg: &mut String, (x, y): (f64, f64), index: usize, colour: &str) {
    const SIZE: f64 = 3.5;
    let _ = match index % 3 {
        0 => writeln!(svg, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{SIZE}\" fill=\"{colour}\"/>"),
        turns => {
            let turn =
                if turns == 1 { "" } else { &format!(" transform=\"rotate(45 {x:.2} {y:.2})\"") };
            let (x, y, side) = (x - SIZE, y - SIZE, 2.0 * SIZE);
            writeln!(
                svg,
                "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{side}\" height=\"{side}\" \
                    fill=\"{colour}\"{turn}/>"
            )
        }
    };
}

fn line(svg: &mut String, from: (f64, f64), to: (f64, f64), colour: &str) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(
        svg,
        "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" stroke=\"{colour}\"/>"
    );
}

fn text(svg: &mut String, (x, y): (f64, f64), attributes: &str, text: &str) {
    let text = escaped(text);
    let _ = writeln!(svg, "<text x=\"{x:.2}\" y=\"{y:.2}\"{attributes}>{text}</text>");
}

/// Text that XML takes for text.
fn escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        '\t' | '\n' | '\r' => " ".to_owned(),
        // XML has no place for these, not even escaped.
        c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => '\u{fffd}'.to_string(),
        c => c.to_string(),
    };
    text.chars().map(escape).collect()
}

#[cfg(test)]
mod tests;
