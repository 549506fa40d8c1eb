//! Verifies unions as the runtimes take them: a type without a value, or a value without a type, is no options.
//!
//! The crate `flatbuffers` refuses such files, the C++ verifier accepts them, and real converters write them.
//! `cargo xtask schema` lets the generated code call [`VisitUnion::visit_lenient_union`] instead of `visit_union`.

use std::borrow::Cow;

use flatbuffers::{EndianScalar, InvalidFlatbuffer, TableVerifier, VOffsetT, Verifier};

/// Lenient verification of unions, for the generated code.
pub(super) trait VisitUnion: Sized {
    /// As [`TableVerifier::visit_union`], but accepts a lone type and a lone value.
    fn visit_lenient_union<Key, Verify>(
        self,
        key_name: impl Into<Cow<'static, str>>,
        key_field: VOffsetT,
        value_name: impl Into<Cow<'static, str>>,
        value_field: VOffsetT,
        required: bool,
        verify: Verify,
    ) -> Result<Self, InvalidFlatbuffer>
    where
        Key: EndianScalar<Scalar = u8>,
        Verify: FnOnce(Key, &mut Verifier<'_, '_>, usize) -> Result<(), InvalidFlatbuffer>;
}

impl VisitUnion for TableVerifier<'_, '_, '_> {
    fn visit_lenient_union<Key, Verify>(
        mut self,
        _key_name: impl Into<Cow<'static, str>>,
        key_field: VOffsetT,
        _value_name: impl Into<Cow<'static, str>>,
        value_field: VOffsetT,
        _required: bool,
        verify: Verify,
    ) -> Result<Self, InvalidFlatbuffer>
    where
        Key: EndianScalar<Scalar = u8>,
        Verify: FnOnce(Key, &mut Verifier<'_, '_>, usize) -> Result<(), InvalidFlatbuffer>,
    {
        // The places of both are verified even when alone, because accessors may read them.
        let value = self.deref(value_field)?;
        if let Some(position) = value {
            self.verifier().get_uoffset(position)?;
        }
        if let Some(position) = self.deref(key_field)? {
            let key = Key::from_little_endian(self.verifier().get_u8(position)?);
            if let Some(position) = value {
                verify(key, self.verifier(), position)?;
            }
        }
        Ok(self)
    }
}
