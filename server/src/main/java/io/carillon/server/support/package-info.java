/** What a user sends who asks for help: parts that the server makes, and the file of them. */
@NullMarked
package io.carillon.server.support;

import org.jspecify.annotations.NullMarked;
