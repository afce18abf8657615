package io.carillon.server.access;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What an account may do. One may have several; {@link #ADMIN} is all of them. */
public enum Role {
    /** Sees everything but what passwords and other people's words are. */
    VIEWER,
    /** Ends calls, records traces, lifts bans, sets log levels, lets files be read again. */
    OPERATOR,
    /** Deploys and undeploys applications. */
    DEPLOYER,
    /** All of that; accounts, users, the audit log, and stopping the server. */
    ADMIN;

    /** As users write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a role.
     *
     * @throws IllegalArgumentException naming those there are
     */
    public static Role of(String word) {
        for (Role role : values()) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        throw new IllegalArgumentException(
                "'" + word + "' is no role; there are " + words(EnumSet.allOf(Role.class)));
    }

    /** Reads roles. */
    public static Set<Role> of(List<String> words) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        words.forEach(word -> roles.add(of(word)));
        return roles;
    }

    /** Roles as a user reads them. */
    public static String words(Set<Role> roles) {
        return Arrays.stream(values())
                .filter(roles::contains)
                .map(Role::word)
                .collect(Collectors.joining(", "));
    }

    /** Roles as a list of words, in order. */
    public static List<String> list(Set<Role> roles) {
        return Arrays.stream(values()).filter(roles::contains).map(Role::word).toList();
    }

    /** May somebody with those roles do what wants this one? Everybody who has a role may look. */
    public boolean within(Set<Role> roles) {
        return roles.contains(this)
                || roles.contains(ADMIN)
                || (this == VIEWER && !roles.isEmpty());
    }
}
