//! The stored form of a file's facts: everything resolution needs, so that references are resolved again
//! without parsing. One format; the extractor version in the database's name guards it.
//!
//! Two blobs per file: the surface (names, expressions, symbols, imports, relations) and the uses
//! (references, commands), because resolving one file reads the surfaces of many and the uses of one.

mod exprs;

use orbit_extract::{
    Expr, ExprId, ExtractedFile, ImportKind, Lang, NameId, Names, RawArm, RawCommand, RawImport, RawRef,
    RawRelation, RawSymbol, RefKind, RelationKind, ScopeId, Span, SymbolKind,
};

/// The blob could not be read: the database is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadBlob;

/// Encodes the surface of a file; `slots` are the row slots of its symbols.
pub(crate) fn encode_surface(file: &ExtractedFile, slots: &[u32]) -> Vec<u8> {
    let mut out = Vec::with_capacity(256 + file.exprs.len() * 4 + file.symbols.len() * 10);
    out.push(file.lang as u8);
    option(&mut out, file.package.map(|name| name.0));
    put(&mut out, file.names.len() as u32);
    for name in file.names.iter() {
        put(&mut out, name.len() as u32);
        out.extend_from_slice(name.as_bytes());
    }
    put(&mut out, file.exprs.len() as u32);
    for expr in &file.exprs {
        exprs::put_expr(&mut out, *expr);
    }
    put(&mut out, file.symbols.len() as u32);
    for (symbol, slot) in file.symbols.iter().zip(slots) {
        put_symbol(&mut out, symbol, *slot);
    }
    put(&mut out, file.imports.len() as u32);
    for import in &file.imports {
        put_import(&mut out, import);
    }
    put(&mut out, file.relations.len() as u32);
    for relation in &file.relations {
        out.push(relation.kind as u8);
        for value in [relation.from.0, relation.to.0, relation.line, relation.scope.0, relation.owner.0] {
            put(&mut out, value);
        }
        put_span(&mut out, relation.span);
    }
    put(&mut out, file.announced.len() as u32);
    for name in &file.announced {
        put(&mut out, name.0);
    }
    out
}

fn put_symbol(out: &mut Vec<u8>, symbol: &RawSymbol, slot: u32) {
    let flags = [(symbol.exported, 0x80), (symbol.inactive, 0x40), (symbol.is_virtual, 0x20)];
    let flags = flags.into_iter().filter(|(is_set, _)| *is_set).fold(0, |all, (_, flag)| all | flag);
    out.push(symbol.kind as u8 | flags);
    put(out, slot);
    put(out, symbol.name.0);
    put(out, symbol.local.0);
    let has_alias = u32::from(symbol.known_as.is_some());
    put(out, u32::from(symbol.overload) << 2 | has_alias << 1 | u32::from(symbol.bodiless));
    if let Some(name) = symbol.known_as {
        put(out, name.0);
    }
    put(out, symbol.parent.0);
    option(out, symbol.ty.map(|ty| ty.0));
    option(out, symbol.params.map(|params| params.0));
    option(out, symbol.type_params.map(|parameters| parameters.0));
    option(out, symbol.decorators.map(|decorators| decorators.0));
    option(out, symbol.receiver.map(|receiver| receiver.0));
    option(out, symbol.condition.map(|condition| condition.0));
}

fn put_import(out: &mut Vec<u8>, import: &RawImport) {
    out.push(import.kind as u8 | if import.reexport { 0x80 } else { 0 });
    put(out, import.module.0);
    option(out, import.symbol.map(|name| name.0));
    option(out, import.binds.map(|name| name.0));
    option(out, import.condition.map(|name| name.0));
    put(out, import.scope.0);
    put_span(out, import.span);
    put(out, import.line);
}

/// Encodes the uses of a file.
pub(crate) fn encode_uses(file: &ExtractedFile) -> Vec<u8> {
    let mut buffer = Vec::with_capacity(16 + file.refs.len() * 8);
    let out = &mut buffer;
    put(out, file.refs.len() as u32);
    let (mut start, mut line) = (0u32, 0u32);
    for row in &file.refs {
        let is_apart = row.within != row.scope;
        out.push(row.kind as u8 | if row.defines { 0x80 } else { 0 } | if is_apart { 0x40 } else { 0 });
        put(out, zigzag(row.span.start.wrapping_sub(start)));
        put(out, row.span.end - row.span.start);
        put(out, zigzag(row.line.wrapping_sub(line)));
        put(out, row.name.0);
        option(out, row.base.map(|base| base.0));
        option(out, row.args.map(|args| args.0));
        put(out, row.scope.0);
        if is_apart {
            put(out, row.within.0);
        }
        (start, line) = (row.span.start, row.line);
    }
    put(out, file.commands.len() as u32);
    for command in &file.commands {
        put(out, command.name.len() as u32);
        out.extend_from_slice(command.name.as_bytes());
        put_span(out, command.span);
        put(out, command.line);
        option(out, command.handler.map(|handler| handler.0));
        put(out, command.scope.0);
        option(out, command.body.map(|body| body.start));
        put(out, command.body.map_or(0, |body| body.end - body.start));
    }
    put(out, file.arms.len() as u32);
    for arm in &file.arms {
        put(out, arm.pattern);
        put(out, arm.line);
        put_span(out, arm.body);
        option(out, arm.call);
    }
    buffer
}

fn put(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn option(out: &mut Vec<u8>, value: Option<u32>) {
    put(out, value.map_or(0, |value| value + 1));
}

fn put_span(out: &mut Vec<u8>, span: Span) {
    put(out, span.start);
    put(out, span.end - span.start);
}

fn zigzag(delta: u32) -> u32 {
    let delta = delta as i32;
    ((delta << 1) ^ (delta >> 31)) as u32
}

fn unzigzag(value: u32) -> u32 {
    (value >> 1) ^ 0u32.wrapping_sub(value & 1)
}

/// The facts other files can see, and that expressions are read against.
pub(crate) struct DecodedSurface {
    pub(crate) lang: Lang,
    pub(crate) package: Option<NameId>,
    pub(crate) names: Names,
    pub(crate) exprs: Vec<Expr>,
    pub(crate) symbols: Vec<DecodedSymbol>,
    pub(crate) imports: Vec<RawImport>,
    pub(crate) relations: Vec<RawRelation>,
    pub(crate) announced: Vec<NameId>,
}

impl DecodedSurface {
    /// The surface of facts at hand, without a detour through a blob.
    pub(crate) fn of(file: &ExtractedFile, slots: &[u32]) -> DecodedSurface {
        let symbols = file.symbols.iter().zip(slots).map(|(symbol, slot)| DecodedSymbol {
            slot: *slot,
            name: symbol.name,
            local: symbol.local,
            overload: symbol.overload,
            kind: symbol.kind,
            parent: symbol.parent,
            ty: symbol.ty,
            params: symbol.params,
            type_params: symbol.type_params,
            decorators: symbol.decorators,
            receiver: symbol.receiver,
            inactive: symbol.inactive,
            condition: symbol.condition,
            known_as: symbol.known_as,
            is_virtual: symbol.is_virtual,
            bodiless: symbol.bodiless,
            exported: symbol.exported,
        });
        DecodedSurface {
            lang: file.lang,
            package: file.package,
            names: file.names.without_index(),
            exprs: file.exprs.clone(),
            symbols: symbols.collect(),
            imports: file.imports.clone(),
            relations: file.relations.clone(),
            announced: file.announced.clone(),
        }
    }
}

/// A symbol without the parts that only its row needs.
#[expect(clippy::struct_excessive_bools, reason = "independent yes-or-no facts")]
pub(crate) struct DecodedSymbol {
    pub(crate) slot: u32,
    pub(crate) name: NameId,
    pub(crate) local: NameId,
    pub(crate) overload: u16,
    pub(crate) kind: SymbolKind,
    pub(crate) parent: ScopeId,
    pub(crate) ty: Option<ExprId>,
    pub(crate) params: Option<ExprId>,
    pub(crate) type_params: Option<ExprId>,
    pub(crate) decorators: Option<ExprId>,
    pub(crate) receiver: Option<ExprId>,
    pub(crate) inactive: bool,
    pub(crate) condition: Option<NameId>,
    pub(crate) known_as: Option<NameId>,
    pub(crate) is_virtual: bool,
    pub(crate) bodiless: bool,
    pub(crate) exported: bool,
}

/// The uses of a file.
pub(crate) struct DecodedUses {
    pub(crate) refs: Vec<RawRef>,
    pub(crate) commands: Vec<RawCommand>,
    pub(crate) arms: Vec<RawArm>,
}

/// Reads a surface back.
pub(crate) fn decode_surface(blob: &[u8]) -> Result<DecodedSurface, BadBlob> {
    let reader = &mut Reader { rest: blob };
    let lang = Lang::from_u8(reader.byte()?).ok_or(BadBlob)?;
    let package = reader.option()?.map(NameId);
    let mut names = Names::default();
    for _ in 0..reader.number()? {
        let length = reader.number()?;
        names.push(reader.text(length)?);
    }
    let exprs = reader.list(Reader::expr)?;
    let symbols = reader.list(Reader::symbol)?;
    let imports = reader.list(Reader::import)?;
    let relations = reader.list(Reader::relation)?;
    let announced = reader.list(|reader| reader.number().map(NameId))?;
    Ok(DecodedSurface { lang, package, names, exprs, symbols, imports, relations, announced })
}

/// Reads uses back.
pub(crate) fn decode_uses(blob: &[u8]) -> Result<DecodedUses, BadBlob> {
    let reader = &mut Reader { rest: blob };
    let count = reader.number()?;
    let mut refs = Vec::with_capacity(count as usize);
    let (mut start, mut line) = (0u32, 0u32);
    for _ in 0..count {
        let head = reader.byte()?;
        let (kind, defines) = (RefKind::from_u8(head & 0x3f).ok_or(BadBlob)?, head & 0x80 != 0);
        start = start.wrapping_add(unzigzag(reader.number()?));
        let end = start.wrapping_add(reader.number()?);
        line = line.wrapping_add(unzigzag(reader.number()?));
        let (name, base) = (NameId(reader.number()?), reader.option()?.map(ExprId));
        let args = reader.option()?.map(ExprId);
        let scope = ScopeId(reader.number()?);
        let within = if head & 0x40 == 0 { scope } else { ScopeId(reader.number()?) };
        refs.push(RawRef { span: Span { start, end }, line, name, kind, base, args, scope, within, defines });
    }
    let commands = reader.list(|reader| {
        let length = reader.number()?;
        let name = reader.text(length)?.into();
        let (span, line) = (reader.span()?, reader.number()?);
        let (handler, scope) = (reader.option()?.map(ExprId), ScopeId(reader.number()?));
        let (start, length) = (reader.option()?, reader.number()?);
        let body = start.map(|start| Span { start, end: start.wrapping_add(length) });
        Ok(RawCommand { name, span, line, handler, scope, body })
    })?;
    let arms = reader.list(|reader| {
        let (pattern, line) = (reader.number()?, reader.number()?);
        Ok(RawArm { pattern, line, body: reader.span()?, call: reader.option()? })
    })?;
    Ok(DecodedUses { refs, commands, arms })
}

/// A cursor over a blob.
struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    fn byte(&mut self) -> Result<u8, BadBlob> {
        let (first, rest) = self.rest.split_first().ok_or(BadBlob)?;
        self.rest = rest;
        Ok(*first)
    }

    fn number(&mut self) -> Result<u32, BadBlob> {
        let mut value = 0u32;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f).checked_shl(shift).ok_or(BadBlob)?;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(BadBlob)
    }

    fn option(&mut self) -> Result<Option<u32>, BadBlob> {
        Ok(self.number()?.checked_sub(1))
    }

    fn text(&mut self, length: u32) -> Result<&'b str, BadBlob> {
        let (text, rest) = self.rest.split_at_checked(length as usize).ok_or(BadBlob)?;
        self.rest = rest;
        std::str::from_utf8(text).map_err(|_| BadBlob)
    }

    fn span(&mut self) -> Result<Span, BadBlob> {
        let start = self.number()?;
        Ok(Span { start, end: start.wrapping_add(self.number()?) })
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Result<T, BadBlob>) -> Result<Vec<T>, BadBlob> {
        let count = self.number()? as usize;
        let mut items = Vec::with_capacity(count.min(self.rest.len()));
        for _ in 0..count {
            items.push(read(self)?);
        }
        Ok(items)
    }

    fn symbol(&mut self) -> Result<DecodedSymbol, BadBlob> {
        let head = self.byte()?;
        let (slot, name, local) = (self.number()?, NameId(self.number()?), NameId(self.number()?));
        let overload = self.number()?;
        let known_as = if overload & 2 == 0 { None } else { Some(NameId(self.number()?)) };
        Ok(DecodedSymbol {
            kind: SymbolKind::from_u8(head & 0x1f).ok_or(BadBlob)?,
            exported: head & 0x80 != 0,
            inactive: head & 0x40 != 0,
            is_virtual: head & 0x20 != 0,
            bodiless: overload & 1 != 0,
            slot,
            name,
            local,
            overload: (overload >> 2) as u16,
            known_as,
            parent: ScopeId(self.number()?),
            ty: self.option()?.map(ExprId),
            params: self.option()?.map(ExprId),
            type_params: self.option()?.map(ExprId),
            decorators: self.option()?.map(ExprId),
            receiver: self.option()?.map(ExprId),
            condition: self.option()?.map(NameId),
        })
    }

    fn import(&mut self) -> Result<RawImport, BadBlob> {
        let head = self.byte()?;
        let kind = match head & 0x7f {
            0 => ImportKind::Symbol,
            1 => ImportKind::Module,
            2 => ImportKind::Glob,
            3 => ImportKind::File,
            4 => ImportKind::ModuleDecl,
            _ => return Err(BadBlob),
        };
        Ok(RawImport {
            kind,
            reexport: head & 0x80 != 0,
            module: NameId(self.number()?),
            symbol: self.option()?.map(NameId),
            binds: self.option()?.map(NameId),
            condition: self.option()?.map(NameId),
            scope: ScopeId(self.number()?),
            span: self.span()?,
            line: self.number()?,
        })
    }

    fn relation(&mut self) -> Result<RawRelation, BadBlob> {
        let kind = RelationKind::from_u8(self.byte()?).ok_or(BadBlob)?;
        let (from, to) = (ExprId(self.number()?), ExprId(self.number()?));
        let (line, scope, owner) = (self.number()?, ScopeId(self.number()?), ScopeId(self.number()?));
        Ok(RawRelation { from, to, kind, span: self.span()?, line, scope, owner })
    }
}
