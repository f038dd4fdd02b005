//! What the store below can do.

use crate::Result;
use crate::commit_id::random_uid;
use crate::objects::Created;
use crate::store::Store;
use bytes::Bytes;

impl Store {
    /// Whether a second put of the same object fails, which is what keeps writers apart. Leaves nothing behind.
    pub fn honours_conditional_puts(&self) -> Result<bool> {
        let name = format!("probe/{}", random_uid()?);
        self.wait(async {
            let objects = &self.inner.objects;
            objects.create(&name, Bytes::from_static(b"{}")).await?;
            let second = objects.create(&name, Bytes::from_static(b"{}")).await;
            objects.delete(&name).await?;
            Ok(second? == Created::Before)
        })
    }
}
