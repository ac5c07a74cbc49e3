//! Each fault is found, named with its bucket, and says the value.

use super::*;

fn bucket(min: &str, max: &str, count: u64, ones: u64, sum: &str) -> Bucket {
    let end = |text: &str| text.parse().expect("a prediction");
    Bucket::exact(end(min), end(max), count, ones, sum.parse().expect("a rational"))
}

fn fault(buckets: &[Bucket]) -> (usize, BucketFault, String) {
    let error = BucketTable::new(buckets.to_vec()).expect_err("a fault");
    let text = error.to_string();
    assert!(text.starts_with(&format!("bucket {}: {}", error.bucket, error.fault)));
    (error.bucket, error.fault, text)
}

/// The fault of a bucket beside a good one, and its words.
fn alone(bad: Bucket, words: &[&str]) -> BucketFault {
    let good = bucket("0.9", "1", 2, 1, "19/10");
    let (place, fault, text) = fault(&[good, bad]);
    assert_eq!(place, 1, "{text}");
    for word in words {
        assert!(text.contains(word), "{text}");
    }
    fault
}

#[test]
fn buckets_that_cannot_be() {
    assert_eq!(alone(bucket("0", "0", 0, 0, "0"), &["count is 0"]), BucketFault::Empty);
    let ones = alone(bucket("0.1", "0.1", 3, 4, "3/10"), &["4 ones in 3"]);
    assert_eq!(ones, BucketFault::Ones { ones: 4, count: 3 });
    let ends = alone(bucket("0.2", "0.1", 2, 1, "3/10"), &["0.2", "above the largest, 0.1"]);
    assert!(matches!(ends, BucketFault::Ends { .. }));
    let one = alone(bucket("0.1", "0.2", 1, 1, "3/20"), &["0.1", "0.2", "not its borders"]);
    assert!(matches!(one, BucketFault::OneRound { .. }));
    let mut turned = bucket("0.1", "0.2", 2, 1, "3/10");
    (turned.sum_low, turned.sum_high) = (ratio(3, 10), ratio(29, 100));
    assert!(matches!(alone(turned, &["0.3", "0.29"]), BucketFault::SumRange { .. }));
}

/// The ends are attained, so the sum is one of each and others between: not 3 times 0.1 or 0.2.
#[test]
fn sums_that_cannot_be() {
    for sum in ["399/1000", "501/1000", "3/10", "6/10", "15/100", "-1"] {
        let bad = alone(bucket("0.1", "0.2", 3, 1, sum), &["0.4 at least", "0.5 at most", "avg"]);
        assert!(matches!(bad, BucketFault::Sum { count: 3, .. }), "{sum}");
    }
    for sum in ["4/10", "45/100", "5/10"] {
        BucketTable::new([bucket("0.1", "0.2", 3, 1, sum)]).expect("possible");
    }
    assert!(matches!(alone(bucket("0.1", "0.1", 3, 1, "29/100"), &[]), BucketFault::Sum { .. }));
    assert!(matches!(alone(bucket("0.1", "0.1", 1, 1, "0"), &[]), BucketFault::Sum { .. }));
    // A mean that is given as a sum, and a sum below 0, are refused if they are rounded, too.
    for (sum, words) in [(ratio(3, 20), "between about 0.1"), (int(-2), "is -2,")] {
        let [min, max] = ["0.1", "0.2"].map(|end| end.parse().expect("a prediction"));
        let bad = alone(Bucket::from_rounded_sum(min, max, 3, 1, &sum), &[words, "avg"]);
        assert!(matches!(bad, BucketFault::Sum { .. }));
    }
}

#[test]
fn buckets_that_overlap() {
    let [low, high] = [bucket("0.1", "0.5", 2, 1, "6/10"), bucket("0.4", "0.8", 2, 1, "12/10")];
    let (place, _, text) = fault(&[high.clone(), low.clone()]);
    assert_eq!(place, 0);
    assert!(text.contains("0.4, lies within bucket 1, which goes on to 0.5"), "{text}");
    // One inside another, and the same twice.
    assert_eq!(fault(&[low.clone(), bucket("0.2", "0.2", 1, 1, "1/5")]).0, 1);
    assert_eq!(fault(&[low.clone(), low.clone()]).0, 1);
    // Beyond one that was joined: the bucket that goes on is named.
    let joined = bucket("0.5", "0.7", 2, 1, "12/10");
    let (place, _, text) = fault(&[low, joined, bucket("0.6", "0.8", 2, 1, "14/10")]);
    assert!(place == 2 && text.contains("within bucket 1, which goes on to 0.7"), "{text}");
}

#[test]
fn numbers_that_are_too_large() {
    let half = |count: u64| {
        let sum = int(count) / int(2);
        let half: Prediction = "1/2".parse().expect("a prediction");
        Bucket::exact(half.clone(), half, count, 0, sum)
    };
    let (place, fault_, _) = fault(&[half(u64::MAX), half(1)]);
    assert_eq!((place, fault_), (1, BucketFault::Rounds));
    assert_eq!(BucketTable::new([half(u64::MAX)]).expect("just enough").rounds(), u64::MAX);
    let long = |bits: u32| {
        let p = BigRational::new(BigInt::from(1), BigInt::from(3).pow(bits));
        Bucket::exact(prediction(&p), prediction(&p), 1, 0, p)
    };
    let (place, fault_, text) = fault(&[half(1), long(1000), long(50_000)]);
    assert_eq!((place, fault_), (2, BucketFault::Denominator));
    assert!(text.contains("common denominator"), "{text}");
}
