/** What the calling thread handles just now: the message, timer or event, and its sessions. */
@NullMarked
package io.carillon.pojo.current;

import org.jspecify.annotations.NullMarked;
