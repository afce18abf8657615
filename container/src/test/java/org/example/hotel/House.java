package org.example.hotel;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An attribute of an application, which may have something in it that cannot be serialized. */
public record House(String name, Map<String, List<Room>> floors, Room[] cellar)
        implements Serializable {
    /** Cannot be serialized. */
    public static final class Door {}

    /** Part of a house. */
    public static final class Room implements Serializable {
        private static final long serialVersionUID = 1L;

        private final transient Door other = new Door();

        @SuppressWarnings("serial") // that is what it is for
        private final @Nullable Door door;

        Room(@Nullable Door door) {
            this.door = door;
        }

        @Override
        public String toString() {
            return door + " " + other;
        }
    }

    /** One with a door on a floor, or in the cellar. */
    public static House withDoor(boolean onFloor) {
        List<Room> floor = new ArrayList<>(List.of(new Room(onFloor ? new Door() : null)));
        Room[] cellar = {new Room(null), new Room(onFloor ? null : new Door())};
        return new House("h", Map.of("first", floor), cellar);
    }
}
