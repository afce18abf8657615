package io.carillon.servlet.port;

import java.security.Principal;
import java.util.Set;

/** A user who proved to be one, or whom a trusted peer vouches for. Immutable. */
public record Caller(String name, Set<String> roles) implements Principal {
    public Caller {
        roles = Set.copyOf(roles);
    }

    @Override
    public String getName() {
        return name;
    }
}
