"""The broken builds: each has one rule of the product taken out or turned round."""
