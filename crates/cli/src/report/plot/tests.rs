use super::axis::Axis;
use super::*;

fn plot(log: bool, curves: &[&[(f64, f64)]]) -> Plot {
    let curve = |points: &&[(f64, f64)]| Curve {
        name: "a < b".to_owned(),
        points: points.to_vec(),
        style: Style::Points,
    };
    Plot {
        title: "<script> & \"quotes\"\u{1}".to_owned(),
        x_label: "x".to_owned(),
        y_label: "y".to_owned(),
        log_x: log,
        log_y: log,
        curves: curves.iter().map(curve).collect(),
    }
}

#[test]
fn text_is_escaped() {
    let svg = plot(false, &[&[(0.0, 0.0)]]).to_svg();
    assert!(svg.contains("&lt;script&gt; &amp; &quot;quotes&quot;\u{fffd}</text>"), "{svg}");
    assert!(svg.contains(">a &lt; b</text>") && !svg.contains("<script"), "{svg}");
}

/// Whatever the points are, every coordinate is a number within the picture.
#[test]
fn nothing_is_drawn_outside() {
    let odd =
        [0.0, -0.0, 1.0, -1.0, 5e-324, 1e-300, 1e300, -1e300, f64::MAX, f64::INFINITY, f64::NAN];
    let pairs: Vec<(f64, f64)> = odd.iter().flat_map(|x| odd.map(|y| (*x, y))).collect();
    let mut cases: Vec<Vec<(f64, f64)>> = vec![vec![], pairs.clone()];
    cases.extend(pairs.iter().map(|pair| vec![*pair]));
    cases.extend(pairs.windows(2).map(<[_]>::to_vec));
    for points in cases {
        for log in [false, true] {
            let svg = plot(log, &[&points, &[]]).to_svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{points:?}: {svg}");
            let pixels = svg.split("cx=\"").skip(1).map(|rest| rest.split('"').next());
            for pixel in pixels {
                let pixel: f64 = pixel.expect("a value").parse().expect("a number");
                assert!((0.0..1000.0).contains(&pixel), "{points:?}: {svg}");
            }
        }
    }
}

#[test]
fn logarithmic_axes_leave_out_what_they_cannot_show() {
    let points = [(0.0, 1.0), (1.0, -1.0), (10.0, 10.0), (100.0, 20.0)];
    let markers = |log| plot(log, &[&points]).to_svg().matches("<circle").count();
    assert_eq!((markers(false), markers(true)), (4 + 1, 2 + 1), "one is in the legend");
}

#[test]
fn ticks_are_round_numbers() {
    for (values, log, labels) in [
        (vec![0.0, 1.0], false, "0 0.2 0.4 0.6 0.8 1"),
        (vec![-3.0, 4.0], false, "-3 -2 -1 0 1 2 3 4"),
        (vec![1.0, 1e6], false, "0 200000 400000 600000 800000 1e6"),
        (vec![0.0, 3e-7], false, "0 5e-8 1e-7 1.5e-7 2e-7 2.5e-7 3e-7"),
        (vec![100.0, 100.3], false, "100 100.05 100.1 100.15 100.2 100.25 100.3"),
        (vec![5.0], false, "2 3 4 5 6 7 8"),
        (vec![16.0, 900.0], true, "10 20 50 100 200 500 1000"),
        (vec![0.003, 70_000.0], true, "0.01 0.1 1 10 100 1000 10000 100000"),
        (vec![1e-12, 1e12], true, "1e-12 1e-8 0.0001 1 10000 1e8 1e12"),
        (vec![2.0], true, "1 2 5"),
        (vec![], true, "1 2 5 10"),
    ] {
        let axis = Axis::new(values.iter().copied(), log);
        let found: Vec<_> = axis.ticks.iter().map(|tick| tick.label.as_str()).collect();
        assert_eq!(found.join(" "), labels, "{values:?}");
        let places: Vec<_> = values.iter().map(|value| axis.place(*value)).collect();
        assert!(places.iter().all(Option::is_some));
    }
}

/// Linear axes have equal steps, logarithmic ones equal ratios.
#[test]
fn places_are_in_proportion() {
    let axis = Axis::new([0.0, 10.0].into_iter(), false);
    assert_eq!([0.0, 2.5, 10.0].map(|value| axis.place(value)), [Some(0.0), Some(0.25), Some(1.0)]);
    let axis = Axis::new([1.0, 10_000.0].into_iter(), true);
    assert_eq!([1.0, 100.0, 0.0].map(|value| axis.place(value)), [Some(0.0), Some(0.5), None]);
}
