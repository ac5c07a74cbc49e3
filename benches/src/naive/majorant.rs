//! The least concave majorant of points, over 1/2: a hull with rounded slopes.

/// Predictions may be as close as 2^-1074, and heights as far apart as 2^53: with this factor no
/// slope overflows.
const SCALE: f64 = f64::from_bits((1023 - 104) << 52);

/// The height over 1/2 of the least concave majorant on [0, 1] of points from left to right, and of
/// (0, 0) and (1, 0).
pub(super) fn over_half(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let mut hull: Vec<(f64, f64)> = Vec::new();
    for (place, height) in points {
        if hull.is_empty() && place > 0.0 {
            hull.push((0.0, 0.0));
        }
        push(&mut hull, (place, height.max(0.0)));
    }
    if hull.is_empty() {
        return 0.0;
    }
    if hull[hull.len() - 1].0 < 1.0 {
        push(&mut hull, (1.0, 0.0));
    }
    let over_half = |&(place, _): &(f64, f64)| place >= 0.5;
    let right = hull.iter().skip(1).position(over_half).expect("the majorant ends at 1") + 1;
    let ((a, low), (b, high)) = (hull[right - 1], hull[right]);
    (low * (b - 0.5) + high * (0.5 - a)) / (b - a)
}

/// Adds a point on the right; points between slopes that do not fall go.
fn push(hull: &mut Vec<(f64, f64)>, point: (f64, f64)) {
    while let [.., a, b] = hull.as_slice() {
        if slope(*a, *b) > slope(*b, point) {
            break;
        }
        hull.pop();
    }
    hull.push(point);
}

fn slope(a: (f64, f64), b: (f64, f64)) -> f64 {
    (b.1 - a.1) * SCALE / (b.0 - a.0)
}
