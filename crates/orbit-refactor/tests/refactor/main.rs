//! Refactoring of small repositories, made by running git.
