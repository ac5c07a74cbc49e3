//! Numbers that change with a text.

/// The 64-bit hash of Fowler, Noll and Vo (FNV-1a). Each step is a bijection of the state, so any
/// one changed byte changes it.
pub fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// SHA-256 in hexadecimal digits, as `sha256sum` prints it: what the record of a shell script says
/// of a file can be compared with the file that is built in.
pub fn sha256(text: &str) -> String {
    let mut message = text.as_bytes().to_vec();
    let bits = 8 * message.len() as u64;
    message.push(0x80);
    message.resize((message.len() + 8).next_multiple_of(64) - 8, 0);
    message.extend(bits.to_be_bytes());

    let (mut state, keys) = constants();
    for block in message.chunks_exact(64) {
        state = compressed(state, &keys, block);
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

/// The first 32 bits of the fractional parts of the square roots of the first 8 primes, and of the
/// cube roots of the first 64.
fn constants() -> ([u32; 8], [u32; 64]) {
    let mut primes = (2_u128..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
    let primes: [u128; 64] = std::array::from_fn(|_| primes.next().expect("there are more"));
    // The largest integer r with r^degree <= n.
    let root = |n: u128, degree: u32| {
        let fits = |r: u128| r.checked_pow(degree).is_some_and(|power| power <= n);
        (0..40).rev().fold(0_u128, |r, bit| if fits(r | 1 << bit) { r | 1 << bit } else { r })
    };
    let digits = |r: u128| (r & u128::from(u32::MAX)) as u32;
    let square = std::array::from_fn(|i| digits(root(primes[i] << 64, 2)));
    (square, std::array::from_fn(|i| digits(root(primes[i] << 96, 3))))
}

/// The state after one more block of 64 bytes.
fn compressed(state: [u32; 8], keys: &[u32; 64], block: &[u8]) -> [u32; 8] {
    let mut words = [0_u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for i in 16..64 {
        let (near, far) = (words[i - 2], words[i - 15]);
        let near = near.rotate_right(17) ^ near.rotate_right(19) ^ (near >> 10);
        let far = far.rotate_right(7) ^ far.rotate_right(18) ^ (far >> 3);
        words[i] = words[i - 16].wrapping_add(far).wrapping_add(words[i - 7]).wrapping_add(near);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
    for (word, key) in words.iter().zip(keys) {
        let turned = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let chosen = (e & f) ^ (!e & g);
        let one = [turned, chosen, *key, *word].into_iter().fold(h, u32::wrapping_add);
        let turned = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let most = (a & b) ^ (a & c) ^ (b & c);
        let two = turned.wrapping_add(most);
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(one), c, b, a, one.wrapping_add(two));
    }
    let mut after = state;
    for (word, more) in after.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(more);
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the standard, and every length around the ends of blocks, which
    /// `printf 'aaa…' | sha256sum` gives.
    #[test]
    fn sha256_is_that_of_the_standard() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(""), empty);
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256("abc"), abc);
        let two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        let said = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
        assert_eq!(sha256(two_blocks), said);
        for (length, said) in A_LOT {
            assert_eq!(sha256(&"a".repeat(length)), said, "{length}");
        }
    }

    const A_LOT: [(usize, &str); 5] = [
        (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
        (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
        (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
        (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
        (119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
    ];
}
