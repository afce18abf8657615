/** What carries a shard through the network: tags, branches, Call-IDs, and the choice by them. */
@NullMarked
package io.carillon.sip.token;

import org.jspecify.annotations.NullMarked;
