-- Users by realm. What is kept of a password is H(user:realm:password), once for each algorithm.
CREATE TABLE carillon_user (
  realm VARCHAR(255) NOT NULL,
  name VARCHAR(255) NOT NULL,
  PRIMARY KEY (realm, name)
);
CREATE TABLE carillon_user_digest (
  realm VARCHAR(255) NOT NULL,
  name VARCHAR(255) NOT NULL,
  algorithm VARCHAR(32) NOT NULL,
  ha1 VARCHAR(64) NOT NULL,
  PRIMARY KEY (realm, name, algorithm),
  FOREIGN KEY (realm, name) REFERENCES carillon_user (realm, name) ON DELETE CASCADE
);
CREATE TABLE carillon_user_role (
  realm VARCHAR(255) NOT NULL,
  name VARCHAR(255) NOT NULL,
  role VARCHAR(255) NOT NULL,
  PRIMARY KEY (realm, name, role),
  FOREIGN KEY (realm, name) REFERENCES carillon_user (realm, name) ON DELETE CASCADE
);
