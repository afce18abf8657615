/**
 * The examples: their conversations, alone, across a border, while they are replaced; their page in
 * a browser.
 */
@NullMarked
package io.carillon.it.example;

import org.jspecify.annotations.NullMarked;
