//! Pages of a Parquet file whose promises can be kept.

use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};

/// Pages of which every dictionary is as long as it says, so that no room is taken for values that
/// are not there.
pub(super) struct CheckedPages(pub Box<dyn PageReader>);

fn checked(page: Page) -> Result<Page> {
    if let Page::DictionaryPage { buf, num_values, .. } = &page {
        // Each value takes a byte or more.
        if u64::from(*num_values) > buf.len() as u64 {
            let problem = format!("a dictionary of {num_values} values in {} bytes", buf.len());
            return Err(ParquetError::General(problem));
        }
    }
    Ok(page)
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.0.get_next_page()?.map(checked).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.0.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.0.skip_next_page()
    }
}
